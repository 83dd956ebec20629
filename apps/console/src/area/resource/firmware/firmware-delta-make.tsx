import { useState } from 'react';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { done } from '../../../kit/part/done.ts';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deltaSourcesQuery, makeFirmwareDelta, makeOfficialFirmwareDelta, type Firmware } from './firmware.calls.ts';

const titleOf = ({ name, version }: Firmware): string => `${name} ${version}`;

/** Makes a differential package from another version for the same models. */
export default function FirmwareDeltaMake({ firmware, onClose }: { firmware: Firmware; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Firmware>();
  const [text, setText] = useState('');
  // The field shows the name of the choice, which is not a search.
  const asked = chosen && text === titleOf(chosen) ? '' : text.trim();
  const [search] = useDebouncedValue(asked, 250);
  const found = useQuery(deltaSourcesQuery(firmware.id, search));
  const sources = found.data?.records ?? [];
  const all = chosen && !sources.some(({ id }) => id === chosen.id) ? [...sources, chosen] : sources;
  const isNone = search === '' && found.data?.total === 0;
  return (
    <AskDialog
      title={t('firmware.deltaMakeFor', { name: titleOf(firmware) })}
      text={t('firmware.deltaMakeText')}
      confirm={t('firmware.deltaMake')}
      check={() => (chosen ? undefined : t('firmware.deltaMakeMissing'))}
      onClose={onClose}
      onConfirm={async () => {
        await call(firmware.path === 'mine' ? makeFirmwareDelta : makeOfficialFirmwareDelta, {
          body: { firmwareId: firmware.id, fromId: chosen!.id },
        });
        await client.invalidateQueries({ queryKey: ['firmware'] });
        await done('creating', {
          name: t('firmware.deltaName', { from: chosen!.version, version: firmware.version }),
        });
      }}
    >
      <Select
        name="fromId"
        label={t('firmware.from')}
        description={isNone ? t('firmware.deltaMakeNone') : undefined}
        placeholder={t('firmware.search')}
        data={all.map((one) => ({ value: one.id, label: titleOf(one) }))}
        // The server has filtered already.
        filter={({ options }) =>
          options.filter((option) => 'value' in option && sources.some(({ id }) => id === option.value))
        }
        value={chosen?.id ?? null}
        onChange={(id) => setChosen(all.find((one) => one.id === id))}
        onSearchChange={setText}
        nothingFoundMessage={found.isSuccess ? t('firmware.noMatch') : undefined}
        error={found.isError && t('firmware.listFailed')}
        allowDeselect={false}
        openOnFocus={false}
        searchable
        disabled={isNone}
      />
    </AskDialog>
  );
}
