import { ActionIcon, Button, Input, Select } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { FileNoun } from '@carillon/actions';
import { useText } from '../../../kit/text/use-text.ts';
import { FileChoice } from './file-choice.tsx';
import { useScopeOptions, type Scope } from './scope.ts';
import type { FilePair } from './params.ts';
import css from './file-pairs.module.css';

const most = 100;

/** Chooses a file for each model, site or group; of groups the first match decides. */
export function FilePairs({
  noun,
  label,
  by,
  pairs,
  onPairs,
  error,
  className,
}: {
  noun: FileNoun;
  label: string;
  by: Scope;
  pairs: readonly FilePair[];
  onPairs: (pairs: readonly FilePair[]) => void;
  /** The fault of one of them, shown below all. */
  error?: ReactNode;
  className?: string;
}) {
  const { t } = useText();
  const options = useScopeOptions(by);
  const change = (n: number, pair: FilePair) =>
    onPairs(pairs.map((other, i) => (i === n ? { ...other, ...pair } : other)));
  return (
    <fieldset className={[css.pairs, className].filter(Boolean).join(' ')}>
      <legend>{label}</legend>
      <p className={css.hint}>{t(`filePairs.hint.${by}`)}</p>
      {pairs.map((pair, n) => {
        const taken = pairs.flatMap(({ of }, i) => (i === n || of === undefined ? [] : [of]));
        // A deleted one is kept as it was ordered.
        const all = new Map([...(pair.of === undefined ? [] : [[pair.of, pair.of] as const]), ...options]);
        return (
          <div key={n} className={css.pair}>
            <Select
              name="params"
              label={t(`baseline.scope.${by}`)}
              data={[...all].filter(([id]) => !taken.includes(id)).map(([value, name]) => ({ value, label: name }))}
              value={pair.of ?? null}
              onChange={(target) => change(n, { of: target ?? undefined })}
              allowDeselect={false}
              searchable={options.length > 8}
              openOnFocus={false}
              comboboxProps={{ withinPortal: true }}
            />
            <FileChoice
              className={css.file!}
              noun={noun}
              label={t('filePairs.file')}
              value={pair.fileId}
              onValue={(fileId) => change(n, { fileId })}
            />
            {pairs.length > 1 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                className={css.remove}
                aria-label={t('filePairs.remove', { number: n + 1 })}
                onClick={() => onPairs(pairs.filter((_, i) => i !== n))}
              >
                <IconTrash size={16} stroke={1.75} aria-hidden />
              </ActionIcon>
            )}
          </div>
        );
      })}
      {error && (
        <div role="alert">
          <Input.Error component="div">{error}</Input.Error>
        </div>
      )}
      {pairs.length < Math.min(most, options.length) && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} stroke={1.75} aria-hidden />}
          onClick={() => onPairs([...pairs, {}])}
        >
          {t(`filePairs.add.${by}`)}
        </Button>
      )}
    </fieldset>
  );
}

/** Shows the choices in words: the file of each model, site or group. */
export function PairNames({ by, pairs }: { by: Scope; pairs: readonly { of: string; file: ReactNode }[] }) {
  const names = new Map(useScopeOptions(by));
  return (
    <ul className={css.names}>
      {pairs.map(({ of, file }) => (
        <li key={of}>
          {names.get(of) ?? of}: {file}
        </li>
      ))}
    </ul>
  );
}
