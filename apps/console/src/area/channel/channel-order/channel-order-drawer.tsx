import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Facts } from '../../../kit/part/facts.tsx';
import { SideDrawer } from '../../../kit/part/side-drawer.tsx';
import { macText, moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { custodyQuery, type ChannelOrder } from './channel-order.calls.ts';
import { OrderStatus } from './order-status.tsx';
import css from './channel-order-drawer.module.css';

/** Shows an order line with the changes of hands that the own company took part in. */
export default function ChannelOrderDrawer({ order, onClose }: { order: ChannelOrder; onClose: () => void }) {
  const { t } = useText();
  const steps = useQuery(custodyQuery(order.mac)).data ?? [];
  return (
    <SideDrawer title={macText(order.mac)} onClose={onClose}>
      <Facts
        items={[
          [t('channelOrder.status'), <OrderStatus key="s" order={order} />],
          [t('channelOrder.model'), order.model],
          [t('channelOrder.order'), order.order === '' ? undefined : order.order],
          [t('channelOrder.company'), order.company?.name],
          [t('channelOrder.source'), t(`channelOrder.source.${order.source}`)],
          [t('channelOrder.from'), order.from ?? undefined],
          [t('channelOrder.inAt'), moment(order.inAt)],
          [t('channelOrder.assignedAt'), order.assignedAt === null ? undefined : moment(order.assignedAt)],
          [
            t('channelOrder.device'),
            order.deviceId === null ? undefined : (
              <Link key="d" to="/device/deviceDetail" search={{ id: order.deviceId } as never}>
                {t('channelOrder.openDevice')}
              </Link>
            ),
          ],
        ]}
      />
      <h2 className={css.heading}>{t('channelOrder.custody')}</h2>
      <ol className={css.steps}>
        {steps.map((step) => (
          <li key={step.id}>
            <span>{t(`channelOrder.step.${step.step}`, { name: step.company ?? '' })}</span>
            <time dateTime={step.at}>{moment(step.at)}</time>
          </li>
        ))}
      </ol>
    </SideDrawer>
  );
}
