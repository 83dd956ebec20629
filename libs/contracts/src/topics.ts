import * as auth from './auth/index.ts';
import * as org from './org/index.ts';
import * as device from './device/index.ts';
import * as provisioning from './provisioning/index.ts';
import * as resource from './resource/index.ts';
import * as task from './task/index.ts';
import * as notification from './notification/index.ts';
import * as license from './license/index.ts';
import * as gateway from './gateway/index.ts';
import * as link from './link/index.ts';
import type { TopicDefinition } from './define/topic.ts';

const isTopic = (v: unknown): v is TopicDefinition =>
  typeof v === 'object' && v !== null && 'partitions' in v && 'events' in v;

/** All topics, by name. */
export const allTopics: readonly TopicDefinition[] = [
  auth,
  org,
  device,
  provisioning,
  resource,
  task,
  notification,
  license,
  gateway,
  link,
].flatMap((m) => (Object.values(m) as unknown[]).filter(isTopic));
