/** jest's five seconds are too short for a machine that does other work; a test that hangs still ends. */
jest.setTimeout(30_000);
