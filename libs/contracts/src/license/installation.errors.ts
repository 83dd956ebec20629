import { defineErrors } from '../define/error.ts';

/** Spec, section 8, "Data": errors of the installation itself. */
export const installationErrors = {
  ...defineErrors('license', {
    notActivated: {
      status: 403,
      en_US: 'The system must be activated first.',
      zh_CN: '请先激活系统。',
      ko: '먼저 시스템을 활성화해야 합니다.',
      pt_BR: 'O sistema precisa ser ativado primeiro.',
    },
  }),
  ...defineErrors('backup', {
    failed: {
      status: 500,
      en_US: 'The backup failed.',
      zh_CN: '备份失败。',
      ko: '백업에 실패했습니다.',
      pt_BR: 'O backup falhou.',
    },
    rollbackFailed: {
      status: 500,
      en_US: 'The rollback failed.',
      zh_CN: '回滚失败。',
      ko: '롤백에 실패했습니다.',
      pt_BR: 'A restauração falhou.',
    },
    deleteFailed: {
      status: 500,
      en_US: 'The backup could not be deleted.',
      zh_CN: '备份删除失败。',
      ko: '백업을 삭제하지 못했습니다.',
      pt_BR: 'Não foi possível excluir o backup.',
    },
  }),
};
