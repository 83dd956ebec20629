import { defineTexts } from '../../../kit/text/define.ts';

export const ldapAccountTexts = defineTexts({
  'menu.ldapAccounts': { en_US: 'LDAP accounts', zh_CN: 'LDAP 账号', ko: 'LDAP 계정', pt_BR: 'Contas LDAP' },
  'ldapAccount.name': { en_US: 'Name', zh_CN: '姓名', ko: '이름', pt_BR: 'Nome' },
  'ldapAccount.number': { en_US: 'Number', zh_CN: '号码', ko: '번호', pt_BR: 'Número' },
  'ldapAccount.mailbox': { en_US: 'Mailbox', zh_CN: '邮箱', ko: '이메일', pt_BR: 'E-mail' },
  'ldapAccount.department': { en_US: 'Department', zh_CN: '部门', ko: '부서', pt_BR: 'Departamento' },
  'ldapAccount.supervisor': { en_US: 'Supervisor', zh_CN: '主管', ko: '상사', pt_BR: 'Supervisor' },
  'ldapAccount.adAccount': { en_US: 'AD account', zh_CN: 'AD 账号', ko: 'AD 계정', pt_BR: 'Conta AD' },
  'ldapAccount.server': { en_US: 'LDAP server', zh_CN: 'LDAP 服务器', ko: 'LDAP 서버', pt_BR: 'Servidor LDAP' },
  'ldapAccount.state': { en_US: 'State', zh_CN: '状态', ko: '상태', pt_BR: 'Estado' },
  'ldapAccount.present': { en_US: 'In the directory', zh_CN: '在目录中', ko: '디렉터리에 있음', pt_BR: 'No diretório' },
  'ldapAccount.missing': {
    en_US: 'No longer there, kept',
    zh_CN: '已不在目录中，暂留',
    ko: '더 이상 없음, 보류됨',
    pt_BR: 'Não está mais, retida',
  },
  'ldapAccount.search': {
    en_US: 'Name, number, mailbox, department',
    zh_CN: '姓名、号码、邮箱或部门',
    ko: '이름, 번호, 이메일 또는 부서',
    pt_BR: 'Nome, número, e-mail ou departamento',
  },
  'ldapAccount.none': {
    en_US: 'No LDAP accounts yet',
    zh_CN: '暂无 LDAP 账号',
    ko: 'LDAP 계정이 없습니다',
    pt_BR: 'Nenhuma conta LDAP ainda',
  },
  'ldapAccount.noneText': {
    en_US: 'Accounts come from your LDAP servers. Add a server and sync it.',
    zh_CN: '账号来自您的 LDAP 服务器。请添加服务器并同步。',
    ko: '계정은 LDAP 서버에서 가져옵니다. 서버를 추가하고 동기화하세요.',
    pt_BR: 'As contas vêm dos servidores LDAP. Adicione um servidor e sincronize-o.',
  },
  'ldapAccount.noMatch': {
    en_US: 'No LDAP account matches.',
    zh_CN: '没有符合条件的 LDAP 账号。',
    ko: '조건에 맞는 LDAP 계정이 없습니다.',
    pt_BR: 'Nenhuma conta LDAP corresponde.',
  },
  'ldapAccount.listFailed': {
    en_US: 'The LDAP accounts could not be loaded.',
    zh_CN: '无法加载 LDAP 账号。',
    ko: 'LDAP 계정을 불러오지 못했습니다.',
    pt_BR: 'Não foi possível carregar as contas LDAP.',
  },
});
