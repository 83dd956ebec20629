import type { MailServer } from '@carillon/testing';

/** Returns a mail server's settings as environment variables of the product. */
export const mailEnvironment = ({ settings }: MailServer): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      `CARILLON_${name.replace(/([A-Z])/g, '_$1').toUpperCase()}`,
      String(value),
    ]),
  );
