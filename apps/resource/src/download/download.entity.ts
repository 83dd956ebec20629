import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** Records that the download of a command began in time, so that it may be resumed. Its id is the command's. */
const DownloadSchema = defineEntity({
  name: 'Download',
  tableName: 'download',
  indexes: [
    { name: 'download_until', expression: 'create index download_until on download (until)' },
    { name: 'download_file', expression: 'create index download_file on download (file_id)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    deviceId: p.uuid(),
    fileId: p.uuid(),
    begunAt: instant(3),
    until: instant(3),
    /** The bytes that were sent, of a phone. Ranges may be asked for in any order and at the same time. */
    sent: p.string().columnType('int8multirange').defaultRaw(`'{}'`),
  },
});
export class Download extends DownloadSchema.class {}
DownloadSchema.setClass(Download);
