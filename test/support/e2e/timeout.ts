/** A limit against a hang that no wait of its own ends. */
jest.setTimeout(600_000);
