import { defineErrors } from '../define/error.ts';

export const companyErrors = defineErrors('org', {
  companyNameTaken: {
    status: 409,
    en_US: 'The company name cannot be repeated.',
    zh_CN: '公司名称不能重复。',
    ko: '회사 이름은 중복될 수 없습니다.',
    pt_BR: 'O nome da empresa não pode se repetir.',
    help: ['A company of this name exists on this installation.', 'Choose another name.'],
  },
  ownCompany: {
    status: 409,
    en_US: 'You cannot disable or lock your own company.',
    zh_CN: '不能停用或锁定您自己的公司。',
    ko: '자신의 회사는 중지하거나 잠글 수 없습니다.',
    pt_BR: 'Você não pode desativar nem bloquear a própria empresa.',
    help: ['The company is that of the caller, who would shut everybody out.', 'Choose another company.'],
  },
});
