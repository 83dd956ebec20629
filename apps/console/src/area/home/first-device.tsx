import { Button } from '@mantine/core';
import { IconDeviceLandlinePhone } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useAccess } from '../../kit/session/access.ts';
import { useText } from '../../kit/text/use-text.ts';
import css from '../../kit/grid/states.module.css';

/** Replaces the figures of a company that has no device yet. */
export function FirstDevice() {
  const { t } = useText();
  const { can } = useAccess();
  return (
    <section className={css.state}>
      <span className={css.tile}>
        <IconDeviceLandlinePhone size={20} stroke={1.5} aria-hidden />
      </span>
      <h2>{t('device.none')}</h2>
      {can('addDevice') && (
        <>
          <p>{t('device.noneText')}</p>
          <div className={css.actions}>
            <Button component={Link} to="/device/addDevice">
              {t('device.add')}
            </Button>
            <Button component={Link} to="/device/list" search={{} as never} variant="default">
              {t('home.openList')}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
