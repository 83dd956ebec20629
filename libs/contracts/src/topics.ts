import * as auth from './auth/auth.topics.ts';
import * as org from './org/org.topics.ts';
import * as device from './device/device.topics.ts';
import * as notification from './notification/notification.topics.ts';
import * as message from './notification/message.topics.ts';
import * as mail from './notification/mail.topics.ts';
import * as license from './license/license.topics.ts';
import * as gateway from './gateway/gateway.topics.ts';
import * as link from './link/link.topics.ts';
import type { TopicDefinition } from './define/topic.ts';

const isTopic = (v: unknown): v is TopicDefinition =>
  typeof v === 'object' && v !== null && 'partitions' in v && 'events' in v;

/** Every topic there is, by name. */
export const allTopics: readonly TopicDefinition[] = [
  auth,
  org,
  device,
  notification,
  message,
  mail,
  license,
  gateway,
  link,
].flatMap((m) => (Object.values(m) as unknown[]).filter(isTopic));
