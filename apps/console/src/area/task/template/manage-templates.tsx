import { useState } from 'react';
import { Button, Modal, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { DeleteDialog } from '../../../kit/part/delete-dialog.tsx';
import { done } from '../../../kit/part/done.ts';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { actionName } from '../action/actions.tsx';
import {
  deleteTaskTemplate,
  renameTaskTemplate,
  restoreTaskTemplates,
  taskTemplatesQuery,
  type TaskTemplateRecord,
} from './task-template.calls.ts';
import dialog from '../../../kit/part/dialog.module.css';
import css from './manage-templates.module.css';

/** Renames and deletes the templates of the company. */
export default function ManageTemplates({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const { data } = useQuery(taskTemplatesQuery);
  const [asking, setAsking] = useState<{ what: 'rename' | 'delete'; template: TaskTemplateRecord }>();
  const [typed, setTyped] = useState('');
  const close = () => setAsking(undefined);
  const changed = () => client.invalidateQueries({ queryKey: ['taskTemplate'] });
  const ask = (what: 'rename' | 'delete', template: TaskTemplateRecord) => {
    setTyped(template.name);
    setAsking({ what, template });
  };
  if (asking?.what === 'rename') {
    const { id, name } = asking.template;
    return (
      <AskDialog
        title={t('taskTemplate.renameOne', { name })}
        text={null}
        confirm={t('taskTemplate.rename')}
        check={() => (typed.trim() === '' ? t('taskOrder.nameMissing') : undefined)}
        onClose={close}
        onConfirm={async () => {
          await call(renameTaskTemplate, { params: { id }, body: { name: typed.trim() } });
          await changed();
          await done('saved', { name: typed.trim() });
        }}
      >
        <TextInput
          name="templateName"
          label={t('taskTemplate.name')}
          maxLength={64}
          value={typed}
          onChange={(e) => setTyped(e.currentTarget.value)}
          autoComplete="off"
        />
      </AskDialog>
    );
  }
  if (asking) {
    const { id, name } = asking.template;
    return (
      <DeleteDialog
        noun="taskTemplate"
        name={name}
        text={t('taskTemplate.deleteText')}
        remove={() => call(deleteTaskTemplate, { params: { id } })}
        restore={() => call(restoreTaskTemplates, { body: { ids: [id] } })}
        onClose={close}
      />
    );
  }
  return (
    <Modal opened onClose={onClose} title={t('taskTemplate.manage')} withCloseButton={false}>
      {data?.records.length === 0 && <p className={dialog.effect}>{t('taskTemplate.none')}</p>}
      <ul className={css.list}>
        {data?.records.map((template) => (
          <li key={template.id}>
            <span>
              <strong className="ellipsis" title={template.name}>
                {template.name}
              </strong>
              <small>
                {actionName(template.action)} · {template.creatorName}
              </small>
            </span>
            {template.own && (
              <>
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-label={t('taskTemplate.renameOne', { name: template.name })}
                  onClick={() => ask('rename', template)}
                >
                  {t('taskTemplate.rename')}
                </Button>
                <Button
                  variant="subtle"
                  size="compact-sm"
                  color="danger"
                  aria-label={t('taskTemplate.deleteOne', { name: template.name })}
                  onClick={() => ask('delete', template)}
                >
                  {t('common.delete')}
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
      <div className={dialog.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
      </div>
    </Modal>
  );
}
