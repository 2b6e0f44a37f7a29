/** What is asked for by its id is not there. */
export class NotFound extends Error {}
