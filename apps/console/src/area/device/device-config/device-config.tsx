import { useState, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconClock,
  IconLink,
  IconSend,
  IconTemplate,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { DeviceRecord } from '@carillon/contracts';
import { Failed } from '../../../kit/grid/states.tsx';
import { CopyButton } from '../../../kit/part/copy.tsx';
import { Facts } from '../../../kit/part/facts.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useAction } from '../../../kit/part/use-action.ts';
import { useAccess, useGranted } from '../../../kit/api/access.ts';
import { count } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { useActions } from '../../task/action/actions.tsx';
import { ConfigPeriods } from '../config-period/config-periods.tsx';
import { settingName, valueWords } from '../config-template/setting-words.ts';
import { FirstAccess } from '../first-access/first-access.tsx';
import { DeviceRedirect } from '../redirect-service/device-redirect.tsx';
import { ConfigRequests } from './config-requests.tsx';
import { configState, type ConfigState } from './config-state.ts';
import { deviceConfigQuery, type DeviceConfig } from '../record/device-config.calls.ts';
import { readAddress, type ConfigAddress } from './device-config.calls.ts';
import part from '../record/device-parts.module.css';
import css from './device-config.module.css';

const glyphs = {
  current: IconCircleCheckFilled,
  waiting: IconClock,
  drifted: IconAlertTriangleFilled,
  other: IconAlertTriangleFilled,
  unmade: IconClock,
} satisfies Record<ConfigState, unknown>;

/** Shows what a device is to have, which template each value comes from, and whether the device has it (CFG-01). */
export default function DeviceConfigCard({ device, onSend }: { device: DeviceRecord; onSend: () => void }) {
  const { t } = useText();
  const config = useQuery(deviceConfigQuery(device.id));
  const heading = <h2 className={part.heading}>{t('deviceConfig.title')}</h2>;
  if (config.isError && !config.data)
    return (
      <section className={css.card}>
        {heading}
        <Failed text={t('deviceConfig.failed')} error={config.error} onRetry={() => void config.refetch()} />
      </section>
    );
  return (
    <section className={css.card} aria-label={t('deviceConfig.title')} aria-busy={config.data === undefined}>
      {heading}
      {config.data && <Content device={device} config={config.data} onSend={onSend} />}
      <ConfigPeriods device={device} />
      <FirstAccess id={device.id} />
      <DeviceRedirect id={device.id} />
      <ConfigRequests id={device.id} />
    </section>
  );
}

function Content({ device, config, onSend }: { device: DeviceRecord; config: DeviceConfig; onSend: () => void }) {
  const { t } = useText();
  const seesTemplates = useGranted('/setting');
  const maySend =
    useActions().some(({ key }) => key === 'configUpdate') && !device.unsupported.includes('configUpdate');
  const access = useAccess();
  const mayShow = access.can('renewDeviceSecret');
  const mayAdd = access.can('addConfigTemplate');
  if (config.values.length + config.lines.length + config.emptied.length === 0)
    return (
      <div className={part.none}>
        <strong>{t('deviceConfig.none')}</strong>
        <p>{t('deviceConfig.noneText', { model: device.model })}</p>
        {seesTemplates && (
          <Link className="link" to="/setting" search={{} as never}>
            {t('menu.configTemplates')}
          </Link>
        )}
      </div>
    );
  const state = configState(device, config);
  const Glyph = glyphs[state];
  const unnamed = config.withoutName ?? [];
  return (
    <>
      <div className={css.facts}>
        <span className={css.state} data-state={state} role="status">
          <Glyph size={14} aria-hidden />
          {t(`deviceConfig.state.${state}`)}
        </span>
        {state === 'drifted' && <span>{t('deviceConfig.since', { when: moment(device.configDriftedAt) })}</span>}
        {config.changedAt !== null && <span>{t('deviceConfig.changed', { when: moment(config.changedAt) })}</span>}
        <span>
          {config.loadedAt === null
            ? t('deviceConfig.neverLoaded')
            : t('deviceConfig.loaded', { when: moment(config.loadedAt) })}
        </span>
      </div>
      {config.values.length > 0 && <Values values={config.values} links={seesTemplates} />}
      {config.lines.length > 0 && (
        <p className={css.note}>
          {t('deviceConfig.lines', { count: config.lines.length, number: count(config.lines.length) })}
        </p>
      )}
      {config.emptied.length > 0 && (
        <p className={css.note}>
          {t('deviceConfig.emptied', { count: config.emptied.length, number: count(config.emptied.length) })}
        </p>
      )}
      {config.beyondModel.length > 0 && (
        <p className={css.note}>
          {t('phoneKey.beyondModel', { names: config.beyondModel.map((key) => settingName(key)).join(', ') })}
        </p>
      )}
      {unnamed.length > 0 && (
        <p className={css.note}>
          {t('deviceConfig.withoutName', { names: unnamed.map((key) => settingName(key)).join(', ') })}
        </p>
      )}
      {config.linesWithoutName.length > 0 && (
        <p className={css.note}>
          {t('deviceConfig.linesWithoutName', {
            count: config.linesWithoutName.length,
            lines: config.linesWithoutName.map((line) => count(line)).join(', '),
          })}
        </p>
      )}
      <div className={css.buttons}>
        {maySend && config.version !== null && (
          <Button variant="default" leftSection={<IconSend size={15} stroke={1.75} aria-hidden />} onClick={onSend}>
            {t(state === 'drifted' ? 'device.bringBack' : 'deviceConfig.send')}
          </Button>
        )}
        {mayAdd && config.values.length > 0 && (
          <Button
            variant="default"
            leftSection={<IconTemplate size={15} stroke={1.75} aria-hidden />}
            component={Link}
            to="/setting/addTemplate"
            search={{ device: device.id } as never}
          >
            {t('deviceConfig.newTemplate')}
          </Button>
        )}
      </div>
      {mayShow && config.version !== null && <Address id={device.id} />}
    </>
  );
}

type Template = DeviceConfig['values'][number]['template'];

/** Lists the values with their templates, and below each the values that it overrides. */
function Values({ values, links }: { values: DeviceConfig['values']; links: boolean }) {
  const { t } = useText();
  return (
    <div className={part.box} tabIndex={0} role="group" aria-label={t('deviceConfig.title')}>
      <table className={`${part.table} ${css.settings}`}>
        <thead>
          <tr>
            <th scope="col">{t('deviceConfig.setting')}</th>
            <th scope="col">{t('deviceConfig.value')}</th>
            <th scope="col">{t('deviceConfig.source')}</th>
          </tr>
        </thead>
        <tbody>
          {values.map(({ key, value, template, lock, overridden }) => (
            <tr key={key}>
              <td>{settingName(key)}</td>
              <td>
                {valueWords(key, value)}
                {overridden.map((other) => (
                  <del key={other.template.id}>
                    {t('deviceConfig.overridden', { name: other.template.name, value: valueWords(key, other.value) })}
                  </del>
                ))}
              </td>
              <td>
                <Source template={template} lock={lock} links={links} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Names the template of a value and the devices that it is for, or the company above that locks it. */
function Source({
  template: { id, name, level, targetName },
  lock,
  links,
}: {
  template: Template;
  lock: DeviceConfig['values'][number]['lock'];
  links: boolean;
}) {
  const { t } = useText();
  if (lock === 'company')
    return (
      <>
        {name}
        <small>{t('configLock.sourceCompany')}</small>
      </>
    );
  const word = lock === null ? t(`configTemplate.level.${level}`) : t('configLock.sourceTemplate');
  return (
    <>
      {links ? (
        <Link className="link" to="/setting" search={{ search: name, template: id } as never}>
          {name}
        </Link>
      ) : (
        name
      )}
      <small>{targetName === null ? word : t('deviceConfig.sourceOf', { level: word, name: targetName })}</small>
    </>
  );
}

/** Shows the address that opens the configuration, only when it is asked for: the operation log records it. */
function Address({ id }: { id: string }) {
  const { t } = useText();
  const [shown, setShown] = useState<ConfigAddress>();
  const { busy, refusal, run } = useAction();
  const show = () =>
    run(async () => {
      setShown(await readAddress(id));
    });
  if (!shown)
    return (
      <div className={css.address}>
        <div>
          <Button
            variant="default"
            loading={busy}
            leftSection={<IconLink size={15} stroke={1.75} aria-hidden />}
            onClick={() => void show()}
          >
            {t('deviceConfig.showAddress')}
          </Button>
        </div>
        <RefusalBox refusal={refusal} />
      </div>
    );
  // Without an address of its own, the path also works at the console's.
  const origin = shown.origin ?? location.origin;
  const line = (label: string, path: string): readonly [string, ReactNode] => [
    label,
    <span key={label} className={css.link}>
      <code>{`${origin}${path}`}</code>
      <CopyButton value={`${origin}${path}`} label={label} />
    </span>,
  ];
  return (
    <div className={css.address} role="status">
      <Facts
        items={[
          ...(shown.file === null ? [] : [line(t('deviceConfig.file'), shown.file)]),
          line(t('deviceConfig.folder'), shown.folder),
        ]}
      />
      {shown.file === null && <p className={css.note}>{t('deviceConfig.noSyntax')}</p>}
      <p className={css.note}>{t('deviceConfig.secret')}</p>
    </div>
  );
}
