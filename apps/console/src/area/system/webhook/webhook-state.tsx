import type { DeliveryState, WebhookState } from '@carillon/contracts';
import { StateGlyph } from '../../../kit/part/state.tsx';
import { useText } from '../../../kit/text/use-text.ts';
import css from '../../../kit/part/state.module.css';

const hookLooks = { working: 'success', failing: 'timeout', off: 'cancel', gone: 'fail', failed: 'fail' } as const;
const deliveryLooks = { waiting: 'wait', delivered: 'success', failed: 'fail' } as const;

export function HookState({ state }: { state: WebhookState }) {
  const { t } = useText();
  return (
    <span className={css.state} title={t(`webhook.state.${state}`)}>
      <StateGlyph state={hookLooks[state]} />
      {t(`webhook.state.${state}`)}
    </span>
  );
}

export function SentState({ state }: { state: DeliveryState }) {
  const { t } = useText();
  return (
    <span className={css.state}>
      <StateGlyph state={deliveryLooks[state]} />
      {t(`webhook.sent.${state}`)}
    </span>
  );
}
