import { Button } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { done } from '../../../kit/part/done.ts';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { clearMessages } from './message.calls.ts';
import { useMessages } from './use-messages.ts';

export function ReadAll() {
  const { t } = useText();
  const { renew } = useMessages();
  return (
    <Button
      variant="default"
      leftSection={<IconChecks size={15} stroke={1.75} />}
      onClick={() => renew(call(clearMessages, { params: { type: -1 } }).then(() => done('allRead')))}
    >
      {t('alarm.readAll')}
    </Button>
  );
}
