/* For programs that know no "exports" (moduleResolution node10). */
export * from './dist/types/index';
