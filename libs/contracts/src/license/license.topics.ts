import { z } from 'zod';
import { topic } from '../define/topic.ts';
import { id } from '../define/list.ts';
import { fcsServer, mailSecurities, systemInfo } from './config.schemas.ts';

/**
 * Settings of the installation's operator. The key is that of the setting, the newest record counts, and a tombstone
 * means the default of the product. Belongs to no company.
 */
export const licenseConfig = topic({
  name: 'license.config.v1',
  writers: ['license'],
  readers: ['auth', 'device', 'provisioning', 'notification', 'gateway'],
  key: 'setting',
  partitions: 1,
  cleanup: 'compact',
  events: {
    /** Settings that pages show before a login. */
    public: systemInfo,
    /** The mail server. The password is sealed with the installation's mail key. */
    mailServer: z.object({
      host: z.string(),
      port: z.number(),
      security: z.enum(mailSecurities),
      user: z.string().nullable(),
      from: z.string(),
      sealed: z.string().nullable(),
      /** Additional certificate authorities, PEM. */ authorities: z.array(z.string()),
    }),
    /** Hosts whose pages may be shown inside the console. */
    frameHosts: z.array(z.string()),
    /** Whether FCS accounts are enabled, and the servers that they register with. */
    fcs: z.object({ enabled: z.boolean(), servers: z.array(fcsServer) }),
    /** Whether imports accept .csv besides spreadsheets. */
    importCsv: z.boolean(),
  },
});

/** A page of another site in the menus of a company, while its host is allowed; a tombstone otherwise. */
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
