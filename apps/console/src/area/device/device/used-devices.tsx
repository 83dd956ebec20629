import { Radio, Stack } from '@mantine/core';
import { useText } from '../../../kit/text/use-text.ts';

/** Chooses what happens to devices that were in use when another company gets them. */
export function UsedDevices({ reset, onChange }: { reset: boolean; onChange: (reset: boolean) => void }) {
  const { t } = useText();
  return (
    <Radio.Group
      name="reset"
      label={t('channelOrder.wasInUse')}
      value={reset ? 'reset' : 'asTheyAre'}
      onChange={(value) => onChange(value === 'reset')}
    >
      <Stack gap="xs" mt={4}>
        <Radio value="reset" label={t('channelOrder.reset')} description={t('channelOrder.resetText')} />
        <Radio value="asTheyAre" label={t('channelOrder.asTheyAre')} description={t('channelOrder.asTheyAreText')} />
      </Stack>
    </Radio.Group>
  );
}
