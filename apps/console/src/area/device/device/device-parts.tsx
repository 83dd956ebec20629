import type { ReactNode } from 'react';
import { useText } from '../../../kit/text/use-text.ts';
import { Link } from '@tanstack/react-router';
import type { DeviceRecord } from '@carillon/contracts';
import { CopyButton } from '../../../kit/part/copy.tsx';
import { Facts } from '../../../kit/part/facts.tsx';
import { useOrganizations } from '../../../kit/api/access.ts';
import { ago, macText, moment } from '../../../kit/text/time.ts';
import { LineState } from '../line/line-state.tsx';

import css from '../record/device-parts.module.css';

/** Shows model, MAC and SN to copy, and when the device was last seen. */
export function Identity({ device }: { device: DeviceRecord }) {
  const { t } = useText();
  const seen = device.onlineSince === null ? ago(device.lastOnlineAt) : null;
  return (
    <p className={css.identity}>
      <span>{device.model}</span>
      <span>
        <code>{macText(device.mac)}</code>
        <CopyButton value={macText(device.mac)} label={t('device.mac')} />
      </span>
      <span>
        {t('device.sn')} <code>{device.sn}</code>
        <CopyButton value={device.sn} label={t('device.sn')} />
      </span>
      {seen !== null && <span>{t('device.seen', { when: seen })}</span>}
    </p>
  );
}

export function LineTable({ device }: { device: DeviceRecord }) {
  const { t } = useText();
  const used = device.lines.filter((l) => l.status !== 'unassigned').length;
  const online = device.onlineSince !== null;
  return (
    <section>
      <h2 className={css.heading}>
        {t('device.lines')}
        {device.lines.length > 0 && (
          <small>
            {online
              ? t('device.linesUsed', { used, total: device.lines.length })
              : t('device.linesBefore', { used, total: device.lines.length })}
          </small>
        )}
      </h2>
      {device.lines.length === 0 ? (
        <p className={css.none}>{t('device.noLinesYet')}</p>
      ) : (
        <div className={css.box} tabIndex={0} role="group" aria-label={t('device.lines')}>
          <table className={css.table}>
            <thead>
              <tr>
                <th scope="col">{t('device.line')}</th>
                <th scope="col">{t('device.account')}</th>
                <th scope="col">{t('device.server')}</th>
                <th scope="col">{t('device.state')}</th>
              </tr>
            </thead>
            <tbody>
              {device.lines.map((l) => (
                <tr key={l.line}>
                  <td>{l.line}</td>
                  <td>{l.account === undefined ? '–' : <code>{l.account}</code>}</td>
                  <td className={css.server} title={l.server}>
                    {l.server ?? '–'}
                  </td>
                  <td>
                    <LineState status={l.status} online={online} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** `baseline`: the firmware that it should have; absent where this is not shown. */
export function DeviceFacts({ device, baseline }: { device: DeviceRecord; baseline?: ReactNode }) {
  const { t } = useText();
  const { data: organizations } = useOrganizations();
  const isOnline = device.onlineSince !== null;
  const hasConnected = isOnline || device.lastOnlineAt !== null;
  const mono = (v: string | null) => (v === null ? null : <code>{v}</code>);
  return (
    <Facts
      items={[
        [t('device.organization'), organizations?.find((o) => o.id === device.orgId)?.name],
        [
          t('device.site'),
          device.site ? (
            <Link key="s" to="/device/list" search={{ site: [device.site.id] } as never}>
              {device.site.name}
            </Link>
          ) : null,
        ],
        [
          t('device.sipServer'),
          device.server ? (
            <Link key="v" to="/device/list" search={{ sipServer: [device.server.id] } as never}>
              {device.server.name}
            </Link>
          ) : null,
        ],
        [
          t('device.groups'),
          device.groups.length === 0 ? null : (
            <span key="g" className={css.groups}>
              {device.groups.map(({ id, name }) => (
                <Link key={id} to="/device/list" search={{ group: [id] } as never}>
                  {name}
                </Link>
              ))}
            </span>
          ),
        ],
        [
          t('device.tags'),
          Object.keys(device.tags).length === 0 ? null : (
            <span key="t" className={css.groups}>
              {Object.entries(device.tags).map(([key, value]) => (
                <Link key={key} to="/device/list" search={{ tag: [`${key}=${value}`] } as never}>
                  {key}: {value}
                </Link>
              ))}
            </span>
          ),
        ],
        [t('device.firmware'), device.firmware],
        ...(baseline === undefined ? [] : [[t('device.baseline'), baseline] as const]),
        [t('device.hardware'), device.hardware],
        [t('device.internalIp'), mono(device.internalIp)],
        [t('device.publicIp'), mono(device.publicIp)],
        [t('device.channel'), device.channel && t(`device.channel.${device.channel}`)],
        device.onlineSince === null
          ? [t('device.lastOnline'), moment(device.lastOnlineAt)]
          : [t('device.onlineSince'), moment(device.onlineSince)],
        [
          t('device.configVersion'),
          device.configFailed ? (
            <span key="c">
              {[device.configVersion, t('deviceForm.configFailed')].filter((part) => part !== null).join(' · ')}
            </span>
          ) : (
            device.configVersion
          ),
        ],
        [t('device.lastConfig'), moment(device.lastConfigAt)],
        // A phone over HTTP does not say whether it has one.
        [t('device.lte'), device.lte ?? (hasConnected && device.channel !== 'http' ? t('device.notFitted') : null)],
        [t('device.dnd'), device.dnd === null ? null : t(`dnd.${device.dnd}`)],
        [
          t('device.certificate'),
          device.certificate === null ? null : t(device.certificate ? 'device.certificateYes' : 'device.certificateNo'),
        ],
        [t('device.calls'), isOnline ? device.calls : null],
        [t('device.created'), moment(device.createdAt)],
      ]}
    />
  );
}
