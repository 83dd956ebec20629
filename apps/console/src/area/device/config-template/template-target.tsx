import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { DeviceTarget } from '@carillon/contracts';
import { useGranted } from '../../../kit/api/access.ts';
import { deviceHref } from '../../../kit/browser/address.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { siteNamesQuery } from '../site/site.calls.ts';
import type { ConfigTemplate } from './config-template.calls.ts';

type Target = Pick<ConfigTemplate, 'level' | 'target' | 'models'>;
type Site = { id: string; path: readonly string[] };

/** Returns a site with those below it: a template is for them all. */
function sitesBelow(id: string, sites: readonly Site[]): string[] {
  const path = sites.find((site) => site.id === id)?.path;
  if (path === undefined) return [id];
  return sites.filter((site) => path.every((name, i) => site.path[i] === name)).map((site) => site.id);
}

/** Returns the devices that a template is for. */
export function devicesOf({ level, target, models }: Target, sites: readonly Site[]): DeviceTarget {
  const chosen = target ?? '';
  switch (level) {
    case 'general':
      return { filter: {} };
    case 'organization':
      return { filter: { orgId: [chosen] } };
    case 'site':
      return { filter: { site: sitesBelow(chosen, sites) } };
    case 'series':
      // No device reports the name of a series: one without models has no devices.
      return { filter: { model: models?.length ? models : [chosen] } };
    case 'model':
      return { filter: { model: [chosen] } };
    case 'group':
      return { filter: { group: [chosen] } };
    case 'device':
      return { ids: [chosen] };
  }
}

/** Returns the sites that a user sees; none for users who do not see devices. */
export const useSites = (): readonly Site[] =>
  useQuery({ ...siteNamesQuery(), enabled: useGranted('/device/list') }).data ?? [];

/** Shows the name of what a template is for; empty for all devices. */
export function TargetName({ template: { level, targetName } }: { template: ConfigTemplate }) {
  const { t } = useText();
  return <>{level === 'general' ? '–' : (targetName ?? t('configTemplate.targetGone'))}</>;
}

/** Shows the number of devices, as a link for users who may list them. */
export function DeviceCount({ template }: { template: ConfigTemplate }) {
  const mayList = useGranted('/device/list');
  const sites = useSites();
  const { devices } = template;
  if (!mayList || devices === 0) return <>{count(devices)}</>;
  const matching = devicesOf(template, sites);
  return 'ids' in matching ? (
    <Link to={deviceHref({ id: matching.ids[0]! }) as '/device/list'}>{count(devices)}</Link>
  ) : (
    <Link to="/device/list" search={matching.filter as never}>
      {count(devices)}
    </Link>
  );
}
