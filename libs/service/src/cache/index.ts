export { CACHE, type Cache } from './cache.ts';
export { MemoryCache, type MemoryCacheOptions } from './memory-cache.ts';
