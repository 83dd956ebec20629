import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { useText } from '../text/use-text.ts';
import type { Read } from './import.calls.ts';
import dialog from '../part/dialog.module.css';
import css from './import.module.css';

/** Lets the user map columns to fields when the headers are unknown. */
export function ImportColumns({
  of,
  busy,
  onBack,
  onChosen,
}: {
  of: Read;
  busy: boolean;
  onBack: () => void;
  onChosen: (mapping: Record<string, number>) => void;
}) {
  const { t } = useText();
  const [mapping, setMapping] = useState<Readonly<Record<string, number>>>(of.mapping);
  const [tried, setTried] = useState(false);
  const missing = of.fields.filter((field) => field.required && mapping[field.key] === undefined);
  const options = of.headers.flatMap((header, at) =>
    header === '' ? [] : [{ value: String(at), label: `${header} (${letterOf(at)})` }],
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (missing.length === 0) onChosen({ ...mapping });
      }}
      noValidate
    >
      <p className={dialog.effect}>{t('import.columns')}</p>
      <div className={css.columns}>
        {of.fields.map((field) => (
          <Select
            key={field.key}
            label={field.title}
            required={field.required}
            placeholder={t('import.noColumn')}
            data={options}
            value={mapping[field.key] === undefined ? null : String(mapping[field.key])}
            onChange={(value) =>
              setMapping(({ [field.key]: _, ...others }) =>
                value === null ? others : { ...others, [field.key]: Number(value) },
              )
            }
            clearable
            error={tried && missing.includes(field) && t('import.columnNeeded')}
          />
        ))}
      </div>
      <div className={css.actions}>
        <Button variant="default" onClick={onBack}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={busy}>
          {t('import.check')}
        </Button>
      </div>
    </form>
  );
}

/** Returns a column's letters as in a spreadsheet: A to Z, then AA. */
const letterOf = (at: number): string =>
  (at < 26 ? '' : letterOf(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26));
