import { Menu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ZoneRecord } from '@carillon/contracts';
import { FocusFirst } from '../../kit/part/focus-first.tsx';
import { chooseZone } from '../../kit/api/choose-zone.ts';
import { session } from '../../kit/session/session.ts';
import { useText } from '../../kit/text/use-text.ts';
import { zonesQuery } from '../../kit/text/zone.ts';
import css from './top-bar.module.css';

/** Zones to choose from, for the top bar. */
export default function ZoneList() {
  const { t } = useText();
  const { timezoneId, zoneChosen } = session() ?? {};
  const current = zoneChosen === false ? undefined : (timezoneId ?? 1);
  const { data } = useQuery(zonesQuery);
  const choose = (zone: ZoneRecord | undefined) =>
    void chooseZone(zone).catch(() => {
      /* Shown as a toast; the zone stays. */
    });
  const check = <IconCheck size={16} stroke={1.75} aria-hidden />;
  if (data === undefined) return null;
  return (
    <>
      <FocusFirst />
      <Menu.Item rightSection={current === undefined && check} onClick={() => choose(undefined)}>
        {t('shell.zoneOfBrowser')}
      </Menu.Item>
      {data.map((z) => (
        <Menu.Item key={z.id} rightSection={z.id === current && check} onClick={() => choose(z)}>
          <span className={css.offset}>{z.timeOffset}</span>
          {z.region}
        </Menu.Item>
      ))}
    </>
  );
}
