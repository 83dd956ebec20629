import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useText } from '../../../kit/text/use-text.ts';
import type { ChannelOrder } from './channel-order.calls.ts';
import state from '../../../kit/part/state.module.css';

/** Shows whether a line is assigned to a channel, by a glyph and a word. */
export function OrderStatus({ order }: { order: ChannelOrder }) {
  const { t } = useText();
  const given = order.status === 'assigned';
  const Glyph = given ? IconCircleCheckFilled : IconCircle;
  return (
    <span className={state.state}>
      <span className={state.glyph} style={{ color: given ? 'var(--online)' : 'var(--offline)' }}>
        <Glyph size={given ? 14 : 10} stroke={given ? 2 : 3.2} aria-hidden />
      </span>
      {t(`channelOrder.status.${order.status}`)}
    </span>
  );
}
