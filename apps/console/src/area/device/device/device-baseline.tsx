import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { deviceBaselineQuery } from '../../task/baseline/baseline.calls.ts';
import { useText } from '../../../kit/text/use-text.ts';

/** Shows which baseline a device follows, the version that it should have, and its state. Needs `pageTexts`. */
export default function DeviceBaseline({ id }: { id: string }) {
  const { t } = useText();
  const { data, isError } = useQuery(deviceBaselineQuery(id));
  if (!data) return isError ? <>{t('baseline.listFailed')}</> : null;
  const { baseline } = data;
  if (!baseline) return <>–</>;
  const { state, reason, version } = baseline;
  const words = [version, t(`baseline.${state}`), ...(reason === null ? [] : [t(`baseline.reason.${reason}`)])];
  return (
    <span>
      <Link to="/task/baseline" search={{ baseline: baseline.id } as never}>
        {baseline.name}
      </Link>{' '}
      {words.join(' · ')}
    </span>
  );
}
