/** A real n8n on a busy machine takes its time; a test that hangs still ends. */
jest.setTimeout(120_000);
