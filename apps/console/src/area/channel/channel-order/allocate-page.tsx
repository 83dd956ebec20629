import { Button } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { StatusPage } from '../../../kit/part/status-page.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { one, several } from '../../../kit/browser/address.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { AllocateForm } from './allocate-form.tsx';
import css from '../../../kit/part/form-page.module.css';

const route = getRouteApi('/_main/channel/allocatedSubChannel');

/** Assigns lines to a channel. Both are chosen here, or given in the address as `ids` and `channel`. */
export function AllocatePage() {
  const { t } = useText();
  const access = useAccess();
  const navigate = useNavigate();
  const search = route.useSearch();
  const ids = several(search.ids);
  const back = (company?: string) =>
    void navigate({
      to: '/channel/allocatedList',
      search: (company === undefined ? {} : { company: [company] }) as never,
    });
  if (!access.can('allocateChannelOrder')) return access.ready && <StatusPage code="403" />;
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{t('menu.allocatedSubChannel')}</h1>
      </header>
      <AllocateForm
        given={ids && { target: { ids }, count: ids.length }}
        channel={one(search.channel) ?? ''}
        onDone={back}
        frame={({ fields, send }) => (
          <>
            <div className={css.body}>{fields}</div>
            <footer className={css.foot}>
              <Button variant="default" onClick={() => back()}>
                {t('common.cancel')}
              </Button>
              {send}
            </footer>
          </>
        )}
      />
    </div>
  );
}
