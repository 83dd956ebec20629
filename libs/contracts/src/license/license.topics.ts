import { z } from 'zod';
import { topic } from '../define/topic.ts';
import { id } from '../define/list.ts';
import { fcsServer, mailSecurities, systemInfo } from './config.schemas.ts';

/**
 * What the installation's operator has set, for whom it concerns: the key is that of the setting, the newest counts,
 * and a tombstone is the default of the product. Of no company.
 */
export const licenseConfig = topic({
  name: 'license.config.v1',
  writers: ['license'],
  readers: ['auth', 'device', 'provisioning', 'notification', 'gateway'],
  key: 'setting',
  partitions: 1,
  cleanup: 'compact',
  events: {
    /** What pages show before anybody has logged in. */
    public: systemInfo,
    /** Where mails go. The password is sealed with the installation's mail key. */
    mailServer: z.object({
      host: z.string(),
      port: z.number(),
      security: z.enum(mailSecurities),
      user: z.string().nullable(),
      from: z.string(),
      sealed: z.string().nullable(),
      /** Certificates that it may be signed by, beside the public ones; PEM. */ authorities: z.array(z.string()),
    }),
    /** Hosts whose pages may be shown inside the console. */
    frameHosts: z.array(z.string()),
    /** Whether anybody's FCS accounts are used, and the servers that they register with. */
    fcs: z.object({ enabled: z.boolean(), servers: z.array(fcsServer) }),
    /** Whether imports take .csv beside spreadsheets. */
    importCsv: z.boolean(),
  },
});

/**
 * A page of another site in the menus of a company, as far as its host is allowed; a tombstone when it is not, or no
 * more.
 */
export const licenseApp = topic({
  name: 'license.app.v1',
  writers: ['license'],
  readers: ['auth'],
  key: 'app id',
  partitions: 1,
  cleanup: 'compact',
  events: {
    app: z.object({ id, name: z.string(), address: z.string(), icon: z.string(), roleIds: z.array(id).nullable() }),
  },
});
