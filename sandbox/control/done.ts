/** What a route that only does something answers. */
export const done = { done: true };
export const saysDone = '`{"done": true}`';
