import { ActionIcon } from '@mantine/core';
import { IconCircleCheckFilled, IconX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PermissionKey } from '@carillon/contracts';
import { showToast } from '../../kit/part/toast.ts';
import { useAccess, useOrganizations, useUser } from '../../kit/api/access.ts';
import { call, remote } from '../../kit/api/call.ts';
import { count } from '../../kit/text/text.ts';
import { systemTexts } from '../../kit/text/system.ts';
import { useText } from '../../kit/text/use-text.ts';
import { listUsers } from '../people/user/user.calls.ts';
import { deviceCountQuery } from '../device/record/device.calls.ts';
import { listSites } from '../device/site/site.calls.ts';
import css from './setup-strip.module.css';

await systemTexts();

const getMailCheck = remote('getMailCheck', 'GET /api/f/notification/mail/check');
const dismissHint = remote('dismissHint', 'POST /api/f/auth/user/hint');
const hint = 'setup';

interface Step {
  key: 'organization' | 'site' | 'user' | 'mail' | 'device';
  done: boolean;
  state: string;
  to: string;
  search?: object;
}

/**
 * Shows the setup steps of a company, each with its state and a link. Hidden from users who can do none of them, and
 * after all are done or it was dismissed, which the server stores.
 */
export default function SetupStrip() {
  const { data: user } = useUser();
  const access = useAccess();
  return user && access.ready && !user.dismissed.includes(hint) ? <Steps /> : null;
}

function Steps() {
  const { t } = useText();
  const { can } = useAccess();
  const client = useQueryClient();
  const organizations = useOrganizations().data?.length;
  const check = useQuery({
    queryKey: ['mailReady', 'check'],
    queryFn: ({ signal }) => call(getMailCheck, {}, { signal, quiet: true }),
    enabled: can('editConfig'),
  });
  const one = { query: { limit: 1 } } as const;
  const sites = useQuery({
    queryKey: ['site', 'setup'],
    queryFn: ({ signal }) => call(listSites, one, { signal }),
    enabled: can('addSite'),
  }).data?.total;
  const users = useQuery({
    queryKey: ['user', 'setup'],
    queryFn: ({ signal }) => call(listUsers, one, { signal }),
    enabled: can('addUser'),
  }).data?.total;
  const devices = useQuery({ ...deviceCountQuery({}), enabled: can('addDevice') }).data?.total;
  const some = (n: number, text: 'organizations' | 'sites' | 'devices') =>
    n === 0 ? t('setup.none') : t(`setup.${text}`, { count: n, number: count(n) });
  /** Null for users without the permission; undefined while the state is unknown. */
  const step = <Value,>(
    key: Step['key'],
    right: PermissionKey,
    value: Value | undefined,
    stepOf: (value: Value) => Omit<Step, 'key'>,
  ): (Step | undefined)[] => (can(right) ? [value === undefined ? undefined : { key, ...stepOf(value) }] : []);
  const all = [
    ...step('device', 'addDevice', devices, (n) => ({
      done: n > 0,
      state: some(n, 'devices'),
      to: n > 0 ? '/device/list' : '/device/addDevice',
    })),
    ...step('organization', 'addOrganization', organizations, (n) => ({
      done: n > 0,
      state: some(n, 'organizations'),
      to: '/system/organization',
    })),
    ...step('site', 'addSite', sites, (n) => ({ done: n > 0, state: some(n, 'sites'), to: '/site/list' })),
    ...step('user', 'addUser', users, (n) => ({
      done: n > 1,
      state: n > 1 ? t('setup.users', { count: n, number: count(n) }) : t('setup.onlyYou'),
      to: n > 1 ? '/system/users' : '/system/users/addUser',
    })),
    ...(check.isError
      ? []
      : step('mail', 'editConfig', check.data, ({ state }) => ({
          done: state === 'passed',
          state: t(`setup.mail.${state ?? 'missing'}`),
          to: '/system/config',
          search: { tab: 'mail' },
        }))),
  ];
  const steps = all.filter((step) => step !== undefined);
  // Busy until it is known whether it appears, because what it would push down is not ready either.
  if (steps.length < all.length) return <div aria-busy className={css.unknown} />;
  if (steps.every(({ done }) => done)) return null;
  async function put(dismissed: boolean) {
    await call(dismissHint, { body: { hint, dismissed } });
    await client.invalidateQueries({ queryKey: ['session', 'user'] });
  }
  const hide = () =>
    void put(true).then(
      () =>
        showToast(t('setup.hidden'), {
          run: async () => {
            await put(false);
            return t('setup.back');
          },
        }),
      () => {
        /* shown as a toast */
      },
    );
  const done = steps.filter((step) => step.done).length;
  return (
    <section className={css.strip} aria-labelledby="setup">
      <div className={css.head}>
        <h2 id="setup">{t('setup.title')}</h2>
        <small>{t('setup.done', { done: count(done), all: count(steps.length) })}</small>
        <div className={css.bars} aria-hidden>
          {steps.map((step, n) => (
            <i key={step.key} data-done={n < done || undefined} />
          ))}
        </div>
      </div>
      <ul className={css.steps}>
        {steps.map((step, n) => (
          <li key={step.key} className={css.step} data-step={step.key} data-done={step.done || undefined}>
            {step.done ? (
              <IconCircleCheckFilled size={16} aria-hidden />
            ) : (
              <span className={css.number} aria-hidden>
                {n + 1}
              </span>
            )}
            <div>
              <Link to={step.to as '/wel/home'} search={(step.search ?? {}) as never}>
                {t(`setup.${step.key}`)}
              </Link>
              <small>{step.state}</small>
            </div>
          </li>
        ))}
      </ul>
      <ActionIcon
        variant="subtle"
        size={28}
        className={css.close}
        aria-label={t('setup.hide')}
        title={t('setup.hide')}
        onClick={hide}
      >
        <IconX size={15} stroke={1.75} aria-hidden />
      </ActionIcon>
    </section>
  );
}
