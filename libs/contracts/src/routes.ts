import * as auth from './auth/auth.routes.ts';
import * as apiToken from './auth/api-token.routes.ts';
import * as captcha from './auth/captcha.routes.ts';
import * as oidc from './auth/oidc.routes.ts';
import * as menu from './auth/menu.routes.ts';
import * as user from './auth/user.routes.ts';
import * as role from './auth/role.routes.ts';
import * as accountLink from './auth/account-link.routes.ts';
import * as authCompany from './auth/company.routes.ts';
import * as password from './auth/password.routes.ts';
import * as session from './auth/session.routes.ts';
import * as twoStep from './auth/two-step.routes.ts';
import * as org from './org/org.routes.ts';
import * as organization from './org/organization.routes.ts';
import * as company from './org/company.routes.ts';
import * as site from './org/site.routes.ts';
import * as view from './org/view.routes.ts';
import * as device from './device/device.routes.ts';
import * as deviceLog from './device/device-log.routes.ts';
import * as deviceExport from './device/export.routes.ts';
import * as deviceSite from './device/site.routes.ts';
import * as task from './task/task.routes.ts';
import * as operationLog from './notification/notification.routes.ts';
import * as message from './notification/message.routes.ts';
import * as externalApp from './license/external-app.routes.ts';
import * as sysConfig from './license/config.routes.ts';
import * as time from './license/time.routes.ts';
import * as gateway from './gateway/gateway.routes.ts';
import type { RouteDefinition } from './define/route.ts';
import type { ServiceName } from './define/topic.ts';

const { testMail, ...ofLicense } = sysConfig;
const notification = { ...operationLog, ...message, testMail };
const byService = {
  auth: {
    ...auth,
    ...apiToken,
    ...captcha,
    ...oidc,
    ...twoStep,
    ...password,
    ...session,
    ...menu,
    ...user,
    ...role,
    ...accountLink,
    ...authCompany,
  },
  org: { ...org, ...organization, ...company, ...site, ...view },
  device: { ...device, ...deviceSite, ...deviceExport, ...deviceLog },
  task,
  notification,
  license: { ...time, ...ofLicense, ...externalApp },
  gateway,
} as const;

export interface NamedRoute {
  /** The constant's name, and the operation's id in OpenAPI. */
  name: string;
  /** The service that answers. */
  owner: ServiceName;
  route: RouteDefinition;
}

const isRoute = (v: unknown): v is RouteDefinition =>
  typeof v === 'object' && v !== null && 'method' in v && 'path' in v && 'permission' in v;

/** Every call there is. The gateway's proxy, OpenAPI and the generated tests walk this list. */
export const allRoutes: readonly NamedRoute[] = Object.entries(byService).flatMap(([owner, module]) =>
  Object.entries(module).flatMap(([name, value]) =>
    isRoute(value) ? [{ name, owner: owner as ServiceName, route: value }] : [],
  ),
);
