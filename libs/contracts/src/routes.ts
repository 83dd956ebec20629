import * as auth from './auth/index.ts';
import * as org from './org/index.ts';
import * as device from './device/index.ts';
import * as provisioning from './provisioning/index.ts';
import * as resource from './resource/index.ts';
import * as task from './task/index.ts';
import * as notification from './notification/index.ts';
import * as license from './license/index.ts';
import * as gateway from './gateway/index.ts';
import type { RouteDefinition } from './define/route.ts';
import type { ServiceName } from './define/topic.ts';

// The mail settings are in the license contract; the notification service answers the test call.
const { testMail, ...ofLicense } = license;
const byService = {
  auth,
  org,
  device,
  provisioning,
  resource,
  task,
  notification: { ...notification, testMail },
  license: ofLicense,
  gateway,
} as const;

export { isPrinted, printedCalls } from './printed.ts';

export interface NamedRoute {
  /** Name of the constant, and the operation's id in OpenAPI. */
  name: string;
  /** The service that answers. */
  owner: ServiceName;
  route: RouteDefinition;
}

const isRoute = (v: unknown): v is RouteDefinition =>
  typeof v === 'object' && v !== null && 'method' in v && 'path' in v && 'permission' in v;

/** All calls. The gateway's proxy, OpenAPI and the generated tests iterate over this list. */
export const allRoutes: readonly NamedRoute[] = Object.entries(byService).flatMap(([owner, module]) =>
  Object.entries(module).flatMap(([name, value]) =>
    isRoute(value) ? [{ name, owner: owner as ServiceName, route: value }] : [],
  ),
);
