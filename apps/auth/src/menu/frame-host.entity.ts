import { defineEntity, p } from '@mikro-orm/postgresql';

/** The hosts whose pages may be shown in a frame, copied from `license.config.v1`. At most one row. */
const FrameHostSchema = defineEntity({
  name: 'FrameHost',
  tableName: 'frame_host',
  properties: { key: p.string().length(32).primary(), hosts: p.json<string[]>(), version: p.bigint() },
});
export class FrameHost extends FrameHostSchema.class {}
FrameHostSchema.setClass(FrameHost);
