/** Nothing has the requested ID. */
export class NotFound extends Error {}
