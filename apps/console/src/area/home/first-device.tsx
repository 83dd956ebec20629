import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { IconDeviceLandlinePhone, IconPackage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAccess, useGranted } from '../../kit/api/access.ts';
import { systemTexts } from '../../kit/text/system.ts';
import { count } from '../../kit/text/text.ts';
import { useText } from '../../kit/text/use-text.ts';
import { roomQuery } from '../channel/channel/channel.calls.ts';
import { orderCountsQuery } from '../channel/channel-order/channel-order.calls.ts';
import css from '../../kit/grid/states.module.css';

await systemTexts();

interface Step {
  to: string;
  label: string;
}

/** Replaces the figures of a company that has no device yet, with what it does first: customer, channel or stock. */
export default function FirstDevice() {
  const { t } = useText();
  const { can } = useAccess();
  const orders = useQuery({ ...orderCountsQuery(), enabled: useGranted('/channel/allocatedList') });
  const room = useQuery({ ...roomQuery(), enabled: useGranted('/channel/boundChannelList') });
  // Nothing is proposed before it is known what fits.
  if (orders.isLoading || room.isLoading) return <section className={css.state} aria-busy />;
  const stock = can('toDeviceChannelOrder') ? (orders.data?.free ?? 0) : 0;
  const add = { to: '/device/addDevice', label: t('device.add') };
  const ordered = { to: '/channel/allocatedList', label: t('menu.channelOrders') };
  if (stock > 0)
    return (
      <Proposal
        icon={<IconPackage size={20} stroke={1.5} aria-hidden />}
        title={t('setup.stock', { count: stock, number: count(stock) })}
        text={t('setup.stockText')}
        steps={[{ to: '/channel/importToDevice', label: t('menu.importToDevice') }, ordered]}
      />
    );
  const isPartner = (room.data?.createSubLimit ?? 0) > 0 && can('importChannelOrder');
  return (
    <Proposal
      icon={<IconDeviceLandlinePhone size={20} stroke={1.5} aria-hidden />}
      title={t('device.none')}
      text={can('addDevice') ? t(isPartner ? 'setup.partnerText' : 'device.noneText') : ''}
      steps={
        can('addDevice') ? (isPartner ? [ordered, add] : [add, { to: '/device/list', label: t('home.openList') }]) : []
      }
    />
  );
}

/** Shows what to do first; the first step is the proposed one. */
function Proposal({
  icon,
  title,
  text,
  steps,
}: {
  icon: ReactNode;
  title: string;
  text: string;
  steps: readonly Step[];
}) {
  return (
    <section className={css.state}>
      <span className={css.tile}>{icon}</span>
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {steps.length > 0 && (
        <div className={css.actions}>
          {steps.map(({ to, label }, n) => (
            <Button
              key={to}
              component={Link}
              to={to}
              search={{} as never}
              {...(n === 0 ? {} : { variant: 'default' as const })}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}
