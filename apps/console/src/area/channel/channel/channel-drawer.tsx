import { useState } from 'react';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Facts } from '../../../kit/part/facts.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { refusalOf, type Refusal } from '../../../kit/part/refusal.ts';
import { SideDrawer } from '../../../kit/part/side-drawer.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { languageNames } from '../../../kit/browser/language.ts';
import { countryText } from '../../../kit/text/country.ts';
import { count } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { useZoneOptions } from '../../../kit/text/zone.ts';
import { isOpen } from '../../organization/company/company.calls.ts';
import { EnterCompany } from '../support-access/enter-company.tsx';
import { CompanyState } from '../../organization/company/company-state.tsx';
import { MailSending } from '../../people/mail/mail-sending.tsx';
import { UserState } from '../../people/user/user-state.tsx';
import { activationQuery, resendChannelActivation, roomQuery, type Channel } from './channel.calls.ts';
import { StatusDialog, UnbindDialog, type ChannelChange } from './channel-dialogs.tsx';
import css from '../../organization/company/company-drawer.module.css';

/** Shows a channel with its account and the actions for both. */
export default function ChannelDrawer({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { t } = useText();
  const access = useAccess();
  const zones = useZoneOptions();
  const below = useQuery(roomQuery()).data?.top === false;
  const [asked, setAsked] = useState<ChannelChange | 'unbind'>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [sent, setSent] = useState(false);
  const client = useQueryClient();
  const isWaiting = channel.accountStatus === 'inactive' && channel.email !== null;
  const mail = useQuery({ ...activationQuery(channel.id), enabled: isWaiting }).data?.mail;
  const changes: ChannelChange[] = isOpen(channel) ? ['disable', 'lock'] : ['enable'];
  const yes = (on: boolean) => t(on ? 'channel.on' : 'channel.off');
  const resend = async () => {
    setRefusal(undefined);
    try {
      await call(resendChannelActivation, { params: { id: channel.id } });
      setSent(true);
      await client.invalidateQueries({ queryKey: activationQuery(channel.id).queryKey });
    } catch (e) {
      setRefusal(refusalOf(e));
    }
  };
  return (
    <SideDrawer title={channel.name} onClose={onClose}>
      <Facts
        items={[
          [t('channel.status'), <CompanyState key="s" status={channel.status} />],
          [t('channel.type'), t(`companyType.${channel.type}`)],
          [t('channel.address'), channel.address.length === 0 ? undefined : channel.address.join(' / ')],
          [t('channel.subs'), count(channel.subs)],
          [t('channel.createSubLimit'), count(channel.createSubLimit)],
          [t('channel.fcsLimit'), count(channel.fcsLimit)],
          [t('channel.licenseGranting'), yes(channel.licenseGranting)],
          [t('channel.fcsEnabled'), yes(channel.fcsEnabled)],
          [t('channel.localSync'), yes(channel.localSync)],
          [t('channel.fcsUrl'), channel.fcsUrl === '' ? undefined : channel.fcsUrl],
          [t('channel.fcsDomain'), channel.fcsDomain === '' ? undefined : channel.fcsDomain],
          [t('user.created'), moment(channel.createdAt)],
          [t('channel.remarks'), channel.remarks],
        ]}
      />
      <div className={css.buttons}>
        {access.can('editChannel') && (
          <Button component={Link} to="/channel/editSubAccount" search={{ id: channel.id } as never} variant="default">
            {t('common.edit')}
          </Button>
        )}
        {access.can('disableChannel') &&
          changes.map((change) => (
            <Button
              key={change}
              variant="default"
              data-danger={change !== 'enable' || undefined}
              onClick={() => setAsked(change)}
            >
              {t(`channel.${change}`)}
            </Button>
          ))}
        {below && access.can('unbindChannel') && (
          <Button variant="default" data-danger onClick={() => setAsked('unbind')}>
            {t('channel.unbind')}
          </Button>
        )}
      </div>
      {access.can('enterChannel') && <EnterCompany id={channel.id} />}
      <h2 className={css.heading}>{t('channel.account')}</h2>
      {channel.username === '' ? (
        <p>{t('company.nobody')}</p>
      ) : (
        <Facts
          items={[
            [t('channel.nickname'), channel.nickname],
            [t('channel.username'), <code key="u">{channel.username}</code>],
            [t('channel.email'), channel.email ?? undefined],
            [t('channel.status'), <UserState key="s" status={channel.accountStatus} />],
            ...(mail ? [[t('mailState.last'), <MailSending key="m" id={mail} />] as const] : []),
            [t('channel.language'), channel.language ? languageNames[channel.language] : undefined],
            [t('channel.timezoneId'), zones.find((z) => z.value === String(channel.timezoneId ?? ''))?.label],
            [t('channel.countryId'), countryText(channel.countryId)],
          ]}
        />
      )}
      {isWaiting && access.can('editChannel') && (
        <div className={css.buttons}>
          <Button variant="default" disabled={sent} onClick={() => void resend()}>
            {t(sent ? 'channel.resent' : 'channel.resend')}
          </Button>
        </div>
      )}
      <RefusalBox refusal={refusal} />
      {asked === 'unbind' && <UnbindDialog channel={channel} onClose={() => setAsked(undefined)} />}
      {asked !== undefined && asked !== 'unbind' && (
        <StatusDialog channel={channel} change={asked} onClose={() => setAsked(undefined)} />
      )}
    </SideDrawer>
  );
}
