import type { ReactNode } from 'react';
import { Spotlight, type SpotlightActionProps } from '@mantine/spotlight';
import { IconArrowRight } from '@tabler/icons-react';
import type { DeviceRecord, MenuItem } from '@carillon/contracts';
import { menuIcon, useMenuName } from '../../area/people/menu/menu-entry.ts';
import { StateGlyph } from '../../kit/part/state.tsx';
import { hrefOf } from '../../kit/api/access.ts';
import { deviceHref } from '../../kit/browser/address.ts';
import { macText } from '../../kit/text/time.ts';
import { useText } from '../../kit/text/use-text.ts';
import type { useActions } from './palette-actions.ts';
import type { FoundGroup } from './palette-search.ts';
import css from './palette.module.css';

const Group = ({ label, children }: { label: string; children: ReactNode }) => (
  <Spotlight.ActionsGroup label={label} role="group" aria-label={label}>
    {children}
  </Spotlight.ActionsGroup>
);
const Entry = ({ of, ...props }: SpotlightActionProps & { of: string }) => (
  <Spotlight.Action role="option" aria-selected={false} id={`found-${of}`} className={css.action} {...props} />
);

type Go = (href: string) => void;

export function PageGroup({ entries, go }: { entries: readonly MenuItem[]; go: Go }) {
  const { t } = useText();
  const name = useMenuName();
  if (entries.length === 0) return null;
  return (
    <Group label={t('shell.pages')}>
      {entries.map((m) => {
        const Icon = menuIcon(m);
        return (
          <Entry key={m.id} of={m.id} onClick={() => go(hrefOf(m))}>
            <Icon size={16} stroke={1.75} aria-hidden />
            <span className={css.label} title={name(m)}>
              {name(m)}
            </span>
            <code className={`${css.path} ${css.more}`}>{hrefOf(m)}</code>
          </Entry>
        );
      })}
    </Group>
  );
}

/** Shows found devices, and a link to the list when there are more. */
export function DeviceGroup({
  devices,
  total,
  search,
  go,
}: {
  devices: readonly DeviceRecord[];
  total: number;
  search: string;
  go: Go;
}) {
  const { t } = useText();
  if (devices.length === 0) return null;
  return (
    <Group label={t('menu.devices')}>
      {devices.map((d) => (
        <Entry key={d.id} of={d.id} onClick={() => go(deviceHref(d))}>
          <StateGlyph state={d.state} />
          <span className={css.label} title={d.name}>
            {d.name}
          </span>
          <span className={css.path}>
            <span className={css.more}>{d.model} · </span>
            <code>{macText(d.mac)}</code>
          </span>
        </Entry>
      ))}
      {total > devices.length && (
        <Entry of="all" onClick={() => go(`/device/list?search=${encodeURIComponent(search)}`)}>
          <IconArrowRight size={16} stroke={1.75} aria-hidden />
          <span className={css.label}>{t('shell.allMatches', { count: total })}</span>
        </Entry>
      )}
    </Group>
  );
}

export function FoundEntries({ group: { label, Icon, found }, go }: { group: FoundGroup; go: Go }) {
  if (found.length === 0) return null;
  return (
    <Group label={label}>
      {found.map(({ id, name, hint, href }) => (
        <Entry key={id} of={id} onClick={() => go(href)}>
          <Icon size={16} stroke={1.75} aria-hidden />
          <span className={css.label} title={name}>
            {name}
          </span>
          <span className={css.path} title={hint}>
            {hint}
          </span>
        </Entry>
      ))}
    </Group>
  );
}

export function ActionGroup({ actions }: { actions: ReturnType<ReturnType<typeof useActions>> }) {
  const { t } = useText();
  if (actions.length === 0) return null;
  return (
    <Group label={t('grid.actions')}>
      {actions.map(({ key, label, Icon, run }) => (
        <Entry key={key} of={key} closeSpotlightOnTrigger onClick={run}>
          <Icon size={16} stroke={1.75} aria-hidden />
          <span className={css.label} title={label}>
            {label}
          </span>
        </Entry>
      ))}
    </Group>
  );
}
