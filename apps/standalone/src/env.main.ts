import { environmentText } from './cli/environment.ts';

/** In an image: prints new secrets, for who has no checkout. */
process.stdout.write(await environmentText());
