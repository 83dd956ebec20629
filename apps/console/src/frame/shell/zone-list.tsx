import { Menu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ZoneRecord } from '@carillon/contracts';
import { call, remote } from '../../kit/session/call.ts';
import { session, setPlace } from '../../kit/session/session.ts';
import { keep } from '../../kit/session/storage.ts';
import { zonesQuery } from '../../kit/text/zone.ts';
import css from './top-bar.module.css';

const modify = remote('modifyUser', 'POST /api/f/mc/user/modify');

/** The zone of all times: posted first, and once the server has it kept here and the page loaded anew (SHELL-15). */
export default function ZoneList() {
  const current = session()?.timezoneId ?? 1;
  const { data } = useQuery(zonesQuery);
  const choose = (zone: ZoneRecord) =>
    void call(modify, { body: { timezoneId: zone.id } }).then(
      () => {
        keep('timezone', { id: zone.id, displayName: zone.displayName });
        setPlace({ timezoneId: zone.id });
        location.reload();
      },
      () => {
        /* told as a toast; the zone stays */
      },
    );
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
