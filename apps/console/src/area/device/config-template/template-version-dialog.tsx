import { useState } from 'react';
import { Button, Modal, Select } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { isSameValue, templateKeys, type TemplateKey } from '@carillon/contracts/settings';
import { done } from '../../../kit/part/done.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { rollBackConfigTemplate, type ConfigTemplate, type TemplateVersion } from './config-template.calls.ts';
import { ReasonField } from './reason-field.tsx';
import { groupsOf, settingName } from './setting-words.ts';
import { SettingValueWords, TemplateEffect } from './template-effect.tsx';
import actions from '../../../kit/part/dialog.module.css';
import part from '../../../kit/part/drawer-table.module.css';
import { useAction } from '../../../kit/part/use-action.ts';
import own from './config-template.module.css';

/** Compares two versions of a template side by side, and goes back to the first one. */
export default function TemplateVersionDialog({
  template,
  versions,
  first,
  onClose,
}: {
  template: ConfigTemplate;
  versions: readonly TemplateVersion[];
  /** Number of the version that was opened. */
  first: number;
  onClose: () => void;
}) {
  const { t } = useText();
  const access = useAccess();
  const others = versions.filter(({ version }) => version !== first);
  const [other, setOther] = useState(first === template.version ? others[0]?.version : template.version);
  const left = versions.find(({ version }) => version === first);
  const right = others.find(({ version }) => version === other);
  const title = t('configVersion.title', { version: first, name: template.name });
  const canGoBack = access.can('editConfigTemplate') && first !== template.version && left !== undefined;
  return (
    <Modal opened onClose={onClose} title={title} size={620} closeButtonProps={{ 'aria-label': t('common.close') }}>
      <div className={own.compare}>
        {others.length === 0 ? (
          <p className={own.note}>{t('configVersion.only')}</p>
        ) : (
          <Select
            label={t('configVersion.compareWith')}
            data={others.map(({ version }) => ({
              value: String(version),
              label: t(version === template.version ? 'configVersion.current' : 'configVersion.number', { version }),
            }))}
            value={right ? String(right.version) : null}
            onChange={(value) => setOther(Number(value))}
            allowDeselect={false}
          />
        )}
        <Comparison left={left} right={right} />
      </div>
      {canGoBack ? (
        <GoBack template={template} version={left} onClose={onClose} />
      ) : (
        <div className={actions.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.close')}
          </Button>
        </div>
      )}
    </Modal>
  );
}

/** Shows the values of both versions; those that differ come first to the eye. */
function Comparison({ left, right }: { left: TemplateVersion | undefined; right: TemplateVersion | undefined }) {
  const { t } = useText();
  const keys = [...new Set([left, right].flatMap((version) => Object.keys(version?.values ?? {})))] as TemplateKey[];
  const isOther = (key: TemplateKey): boolean =>
    right !== undefined &&
    (!isSameValue(left?.values[key], right.values[key]) || left?.locked.includes(key) !== right.locked.includes(key));
  return (
    <table className={`${part.table} ${own.compared}`}>
      <thead>
        <tr>
          <th scope="col">{t('configVersion.setting')}</th>
          {[left, right].map(
            (version) =>
              version && (
                <th key={version.version} scope="col">
                  {t('configVersion.number', { version: version.version })}
                </th>
              ),
          )}
        </tr>
      </thead>
      {groupsOf(keys).map(([group, members]) => (
        <tbody key={group ?? ''}>
          <tr className={own.group}>
            <th colSpan={3} scope="rowgroup">
              {group === undefined ? t('configTemplate.otherSettings') : t(`setting.group.${group}`)}
            </th>
          </tr>
          {(members as TemplateKey[]).map((key) => (
            <tr key={key} className={isOther(key) ? own.other : undefined}>
              <th scope="row">
                {settingName(key)}
                {isOther(key) && <span className={own.mark}> {t('configVersion.differs')}</span>}
              </th>
              {[left, right].map(
                (version) =>
                  version && (
                    <td key={version.version}>
                      <SettingValueWords name={key} value={version.values[key]} />
                      {version.locked.includes(key) && <span className={own.mark}> · {t('configLock.locked')}</span>}
                    </td>
                  ),
              )}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** Offers a version again, and says first what that changes. */
function GoBack({
  template,
  version: { version, values, locked },
  onClose,
}: {
  template: ConfigTemplate;
  version: TemplateVersion;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const { busy, refusal, run } = useAction();
  // A setting of a later or earlier release is none that this one gives to devices.
  const keys = templateKeys(values);
  const known = Object.fromEntries(keys.map((key) => [key, values[key]!]));
  const goBack = () =>
    run(async () => {
      await call(rollBackConfigTemplate, { body: { id: template.id, version, reason: reason.trim() } });
      for (const queryKey of [['configTemplate'], ['device', 'config']]) await client.invalidateQueries({ queryKey });
      await done('saved', { name: template.name });
      onClose();
    });
  return (
    <form
      className={own.back}
      onSubmit={(e) => {
        e.preventDefault();
        void goBack();
      }}
    >
      <TemplateEffect change={{ id: template.id, values: known, locked: keys.filter((key) => locked.includes(key)) }} />
      <ReasonField value={reason} onChange={setReason} />
      <RefusalBox refusal={refusal} />
      <div className={actions.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={busy}>
          {t('configVersion.goBack', { version })}
        </Button>
      </div>
    </form>
  );
}
