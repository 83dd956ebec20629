import { config } from 'zod/v4/core';

// Zod would try whether it may compile code: the content security policy forbids it and would report the try.
config({ jitless: true });
