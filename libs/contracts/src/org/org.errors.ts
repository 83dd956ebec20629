import { defineErrors } from '../define/error.ts';

export const companyErrors = defineErrors('org', {
  companyNameTaken: {
    status: 409,
    en_US: 'A company with this name already exists.',
    zh_CN: '已存在同名公司。',
    ko: '같은 이름의 회사가 이미 있습니다.',
    pt_BR: 'Já existe uma empresa com este nome.',
    help: ['A company of this name exists on this installation.', 'Choose another name.'],
  },
  ownCompany: {
    status: 409,
    en_US: 'You can’t disable or lock your own company.',
    zh_CN: '不能禁用或锁定您自己的公司。',
    ko: '자신의 회사는 사용 중지하거나 잠글 수 없습니다.',
    pt_BR: 'Você não pode desativar nem bloquear a própria empresa.',
    help: ['The company is that of the caller, who would shut everyone out.', 'Choose another company.'],
  },
});
