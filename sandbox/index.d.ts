/* For moduleResolution node10, which does not read "exports". */
export * from './dist/types/index';
