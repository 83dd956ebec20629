export { CACHE, type Cache } from './cache.ts';
export { MemoryCache, type MemoryCacheOptions } from './memory-cache.ts';
export { Redis, RedisAway, redisScript, type RedisOptions, type RedisScript } from './redis.ts';
export { RedisCache } from './redis-cache.ts';
