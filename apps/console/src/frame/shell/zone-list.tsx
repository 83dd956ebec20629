import { Menu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ZoneRecord } from '@carillon/contracts';
import { chooseZone } from '../../kit/session/choose-zone.ts';
import { session } from '../../kit/session/session.ts';
import { zonesQuery } from '../../kit/text/zone.ts';
import css from './top-bar.module.css';

/** The zones to choose from, for the top bar. */
export default function ZoneList() {
  const current = session()?.timezoneId ?? 1;
  const { data } = useQuery(zonesQuery);
  const choose = (zone: ZoneRecord) =>
    void chooseZone(zone).catch(() => {
      /* told as a toast; the zone stays */
    });
  return data?.map((z) => (
    <Menu.Item
      key={z.id}
      rightSection={z.id === current && <IconCheck size={16} stroke={1.75} aria-hidden />}
      onClick={() => choose(z)}
    >
      <span className={css.offset}>{z.timeOffset}</span>
      {z.region}
    </Menu.Item>
  ));
}
