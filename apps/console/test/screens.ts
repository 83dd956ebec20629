import { nouns } from '@carillon/contracts';
import { pageRoutes } from './routes.ts';
import { channelScreens } from './screen/channel.screens.ts';
import { configTemplateScreens } from './screen/config-template.screens.ts';
import { deviceConfigScreens } from './screen/device-config.screens.ts';
import { deviceScreens } from './screen/device.screens.ts';
import { dialogScreens } from './screen/dialog.screens.ts';
import { frameScreens } from './screen/frame.screens.ts';
import { listScreens } from './screen/list.screens.ts';
import { loginScreens } from './screen/login.screens.ts';
import { peopleScreens } from './screen/people.screens.ts';
import { resourceScreens } from './screen/resource.screens.ts';
import { sipScreens } from './screen/sip.screens.ts';
import { redirectScreens } from './screen/redirect.screens.ts';
import { systemScreens } from './screen/system.screens.ts';
import { taskScreens } from './screen/task.screens.ts';
import { taskAddScreens } from './screen/task-add.screens.ts';
import { webhookScreens } from './screen/webhook.screens.ts';
import { screenOf, screensOf } from './screen/noun.screens.ts';
import type { Screen } from './screen/screen.ts';

const ownScreens: Screen[] = [
  ...frameScreens,
  ...listScreens,
  ...deviceScreens,
  ...configTemplateScreens,
  ...deviceConfigScreens,
  ...taskScreens,
  ...taskAddScreens,
  ...resourceScreens,
  ...sipScreens,
  ...channelScreens,
  ...peopleScreens,
  ...redirectScreens,
  ...systemScreens,
  ...webhookScreens,
  ...dialogScreens,
];
const own = new Set(ownScreens.map(({ name }) => name));
/** Nouns whose screens need more preparation have own screens above, under the same names. */
const namedScreens = [...ownScreens, ...nouns.flatMap(screensOf).filter(({ name }) => !own.has(name))];
const shown = new Set([...loginScreens, ...namedScreens].map((s) => s.route));
for (const route of shown)
  if (route !== undefined && !pageRoutes.some(({ path }) => path === route)) throw new Error(`No route is ${route}`);
const others = (isPublic: boolean) =>
  pageRoutes.filter((r) => r.isPublic === isPublic && !shown.has(r.path)).map(screenOf);

/** The pages of all routes, and realistic states of them. A new route is included automatically. */
export const publicScreens: Screen[] = [...loginScreens, ...others(true)];
export const screens: Screen[] = [...namedScreens, ...others(false)];
