import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Facts } from '../../../kit/part/facts.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useAction } from '../../../kit/part/use-action.ts';
import { call } from '../../../kit/api/call.ts';
import { changeCompany } from '../../../kit/session/session.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { channelAccessQuery, enterChannel } from './support-access.calls.ts';
import css from '../../organization/company/company-drawer.module.css';

/** Shows the access that a customer allows, and the button to enter (CHN-07). */
export function EnterCompany({ id }: { id: string }) {
  const { t } = useText();
  const { data } = useQuery(channelAccessQuery(id));
  const { busy, refusal, run } = useAction();
  const enter = () =>
    run(async () => {
      await changeCompany('/wel/home', () => call(enterChannel, { params: { id } }));
    });
  if (data === undefined) return null;
  return (
    <>
      <h2 className={css.heading}>{t('menu.supportAccess')}</h2>
      {data === null ? (
        <p>{t('supportAccess.notAllowed')}</p>
      ) : (
        <>
          <Facts
            items={[
              [t('supportAccess.createdBy'), data.allowedBy],
              [t('supportAccess.until'), moment(data.until)],
              [t('supportAccess.level'), t(`supportAccess.level.${data.level}`)],
              [t('supportAccess.reason'), data.reason],
            ]}
          />
          <div className={css.buttons}>
            <Button variant="default" loading={busy} onClick={() => void enter()}>
              {t('supportAccess.enter')}
            </Button>
          </div>
        </>
      )}
      <RefusalBox refusal={refusal} />
    </>
  );
}
