import { environmentText } from './cli/environment.ts';

/** Prints new secrets from inside an image, for operators without a checkout. */
process.stdout.write(await environmentText());
