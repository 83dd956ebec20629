import {
  IconAddressBook,
  IconAdjustments,
  IconApi,
  IconArrowForwardUp,
  IconBell,
  IconBook2,
  IconBuilding,
  IconBuildingSkyscraper,
  IconChartBar,
  IconClock,
  IconDeviceLandlinePhone,
  IconDevices,
  IconExternalLink,
  IconFileSettings,
  IconFolder,
  IconHistory,
  IconHome,
  IconKey,
  IconLifebuoy,
  IconListCheck,
  IconMail,
  IconMapPin,
  IconMenu2,
  IconNotes,
  IconPackage,
  IconPoint,
  IconServer2,
  IconSettings,
  IconShieldCheck,
  IconShieldLock,
  IconStack2,
  IconTemplate,
  IconUserCheck,
  IconUsers,
  IconWebhook,
  IconWorld,
} from '@tabler/icons-react';
import type { FixedMenuIcon, MenuItem, MenuRecord, nouns } from '@carillon/contracts';
import { hasText } from '../../../kit/text/translate.ts';
import { useText } from '../../../kit/text/use-text.ts';

type NounIcon = (typeof nouns)[number]['menu']['icon'];
/** Menu icons by the names that the server sends. A product's entry whose icon is missing here does not compile. */
export const icons = {
  home: IconHome,
  device: IconDeviceLandlinePhone,
  deviceGroup: IconStack2,
  model: IconDevices,
  site: IconMapPin,
  account: IconAddressBook,
  server: IconServer2,
  task: IconListCheck,
  log: IconNotes,
  history: IconHistory,
  twoStep: IconShieldLock,
  key: IconKey,
  approval: IconUserCheck,
  api: IconApi,
  alarm: IconBell,
  mail: IconMail,
  redirect: IconArrowForwardUp,
  webhook: IconWebhook,
  system: IconSettings,
  organization: IconBuilding,
  user: IconUsers,
  role: IconShieldCheck,
  menu: IconMenu2,
  time: IconClock,
  config: IconAdjustments,
  company: IconBuildingSkyscraper,
  channelOrder: IconPackage,
  link: IconExternalLink,
  folder: IconFolder,
  configFile: IconFileSettings,
  configTemplate: IconTemplate,
  book: IconBook2,
  chart: IconChartBar,
  help: IconLifebuoy,
  world: IconWorld,
} as const satisfies Record<NounIcon | FixedMenuIcon, typeof IconHome> & Record<string, typeof IconHome>;
const isIcon = (name: string): name is keyof typeof icons => Object.hasOwn(icons, name);
/** Returns an entry's icon; entries that the administrator added may have none. */
export const menuIcon = ({ source }: MenuItem) => (source !== null && isIcon(source) ? icons[source] : IconPoint);

/** Returns the name of a menu entry: our text for its key, or the server's name. */
export function useMenuName(): (item: MenuItem) => string {
  const { t } = useText();
  return (item) => (item.langKey !== '' && hasText(item.langKey) ? t(item.langKey as 'menu.home') : item.name);
}

/** Returns the displayed name: the administrator's own, or the product's in this language. */
export function useEntryName(): (entry: MenuRecord) => string {
  const { t } = useText();
  return (entry) => (!entry.ownName && hasText(entry.langKey) ? t(entry.langKey as 'menu.home') : entry.name);
}

/** Returns who sees the entry. */
export const whoText = (t: ReturnType<typeof useText>['t'], { meta }: MenuRecord): string =>
  meta.roles === null ? t('menuAdmin.everybody') : t('menuAdmin.someRoles', { count: meta.roles.length });
