import { Button } from '@mantine/core';
import { IconBuildingSkyscraper, IconDeviceLandlinePhone } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAccess } from '../../../kit/api/access.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { orderCountsQuery } from './channel-order.calls.ts';
import css from './order-strip.module.css';

/** Channels beyond these are found by the filter. */
const shown = 5;
const icon = { size: 14, stroke: 1.75, 'aria-hidden': true } as const;

/** Shows what came in, what is free and what each channel has, with links to the lines and to the next steps. */
export function OrderStrip() {
  const { t } = useText();
  const access = useAccess();
  const sums = useQuery(orderCountsQuery()).data;
  if (!sums || sums.total === 0) return null;
  const to = (text: string, search: Record<string, string[]>) => (
    <Link to="/channel/allocatedList" search={search as never}>
      {text}
    </Link>
  );
  const rest = sums.channels.length - shown;
  return (
    <div className={css.strip}>
      <ul className={css.sums}>
        <li>{to(t('channelOrder.total', { count: sums.total, number: count(sums.total) }), {})}</li>
        <li>
          {to(t('channelOrder.free', { number: count(sums.free) }), { status: ['unassigned'], inUse: ['false'] })}
        </li>
        <li>{to(t('channelOrder.used', { number: count(sums.inUse) }), { inUse: ['true'] })}</li>
        <li>
          {to(t('channelOrder.given', { number: count(sums.assigned) }), { status: ['assigned'] })}
          {sums.channels.length > 0 && (
            <ul className={css.channels}>
              {sums.channels.slice(0, shown).map(({ id, name, count: number }) => (
                <li key={id}>
                  <Link to="/channel/allocatedList" search={{ company: [id] } as never}>
                    <span className={css.name} title={name}>
                      {name}
                    </span>{' '}
                    {count(number)}
                  </Link>
                </li>
              ))}
              {rest > 0 && <li>{t('channelOrder.more', { number: count(rest) })}</li>}
            </ul>
          )}
        </li>
      </ul>
      <div className={css.steps}>
        {access.can('allocateChannelOrder') && sums.free > 0 && (
          <Button
            component={Link}
            to="/channel/allocatedSubChannel"
            variant="default"
            size="xs"
            leftSection={<IconBuildingSkyscraper {...icon} />}
          >
            {t('channelOrder.allocate')}
          </Button>
        )}
        {access.can('toDeviceChannelOrder') && sums.free > 0 && (
          <Button
            component={Link}
            to="/channel/importToDevice"
            variant="default"
            size="xs"
            leftSection={<IconDeviceLandlinePhone {...icon} />}
          >
            {t('channelOrder.toDevice')}
          </Button>
        )}
      </div>
    </div>
  );
}
