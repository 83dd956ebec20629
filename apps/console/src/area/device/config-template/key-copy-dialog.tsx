import { useState } from 'react';
import { Autocomplete, Button, Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { isPhoneKeyName } from '@carillon/contracts/settings';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { refusalOf } from '../../../kit/part/refusal.ts';
import { useAccess, useGranted } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import {
  addConfigTemplate,
  editConfigTemplate,
  keyCopyQuery,
  type ConfigTemplate,
  type KeyCopy,
} from './config-template.calls.ts';
import { modelNamesQuery } from '../model/model.calls.ts';
import { keyPlaceWords } from '../phone-key/key-words.ts';
import actions from '../../../kit/part/dialog.module.css';
import { useAction } from '../../../kit/part/use-action.ts';
import css from './config-template.module.css';

/** Asks what a copy to a model would be, and makes it. */
function useKeyCopy(template: ConfigTemplate, model: string, name: string, onDone: () => void) {
  const { t } = useText();
  const client = useQueryClient();
  const { busy, refusal, run } = useAction();
  const [asked] = useDebouncedValue(model.trim(), 250);
  const isOther = asked !== '' && !(template.level === 'model' && template.target === asked);
  const { data, error, isFetching } = useQuery({ ...keyCopyQuery(template.id, 'model', asked), enabled: isOther });
  const copy = isOther && asked === model.trim() ? data : undefined;
  const copyKeys = async () => {
    if (!copy) return;
    await run(async () => {
      const stored = await save(copy, asked, name.trim() || asked, t('phoneKey.copyReason', { name: template.name }));
      for (const queryKey of [['configTemplate'], ['device', 'config']]) await client.invalidateQueries({ queryKey });
      await done(copy.template ? 'saved' : 'added', { name: stored.name });
      onDone();
    });
  };
  const unasked = isOther && error ? refusalOf(error) : undefined;
  return { copy, asked, refusal: refusal ?? unasked, busy: busy || (isOther && isFetching), copyKeys };
}

/** Copies the keys of a template to the template of another model, and names first what cannot be carried over. */
export default function KeyCopyDialog({ template, onClose }: { template: ConfigTemplate; onClose: () => void }) {
  const { t } = useText();
  const models = useQuery({ ...modelNamesQuery(), enabled: useGranted('/device/list') }).data ?? [];
  const [model, setModel] = useState('');
  const [name, setName] = useState('');
  const { copy, asked, refusal, busy, copyKeys } = useKeyCopy(template, model, name, onClose);
  const may = useAccess().can(copy?.template ? 'editConfigTemplate' : 'addConfigTemplate');
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('phoneKey.copyTitle', { name: template.name })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <div className={css.keyCopy}>
        <Autocomplete
          label={t('device.model')}
          data={[...new Set(models.map((one) => one.name))]}
          maxLength={64}
          value={model}
          onChange={setModel}
          openOnFocus={false}
          data-autofocus
        />
        {copy && <Carried copy={copy} model={asked} />}
        {copy?.template === null && copy.carried.length > 0 && (
          <TextInput
            label={t('configTemplate.name')}
            placeholder={asked}
            maxLength={64}
            value={name}
            onChange={(e) => setName(e.currentTarget.value)}
            autoComplete="off"
          />
        )}
        <RefusalBox refusal={refusal} />
      </div>
      <div className={actions.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button loading={busy} disabled={!copy || copy.carried.length === 0 || !may} onClick={() => void copyKeys()}>
          {t('phoneKey.copy')}
        </Button>
      </div>
    </Modal>
  );
}

const save = ({ template, values }: KeyCopy, model: string, name: string, reason: string) =>
  template
    ? call(editConfigTemplate, {
        body: { ...template, values, reason },
      })
    : call(addConfigTemplate, { body: { name, description: '', level: 'model', target: model, values, reason } });

/** Says which keys come over, which of them replace another function, and which stay behind and why. */
function Carried({ copy: { template, carried, replaced, left }, model }: { copy: KeyCopy; model: string }) {
  const { t } = useText();
  const words = (key: string) => (isPhoneKeyName(key) ? keyPlaceWords(key) : key);
  return (
    <div role="status" className={css.keyCopy}>
      <p>
        {t(template ? 'phoneKey.copyInto' : 'phoneKey.copyNew', {
          ...{ count: carried.length, number: count(carried.length) },
          name: template?.name ?? model,
        })}
      </p>
      {replaced.length > 0 && (
        <p>{t('phoneKey.copyReplaces', { names: replaced.map((key) => words(key)).join(', ') })}</p>
      )}
      {left.length > 0 && (
        <div>
          <p>{t('phoneKey.copyLeaves')}</p>
          <ul className={css.keysLeft}>
            {left.map(({ key, reason }) => (
              <li key={key}>{t(`phoneKey.left.${reason}`, { name: words(key) })}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
