import { defineTexts } from '../../../kit/text/define.ts';

export const companyKeyTexts = defineTexts({
  'menu.companyKey': {
    en_US: 'Encryption keys',
    zh_CN: '加密密钥',
    ko: '암호화 키',
    pt_BR: 'Chaves de criptografia',
  },
  'menuIcon.key': { en_US: 'Key', zh_CN: '钥匙', ko: '열쇠', pt_BR: 'Chave' },
  'right.renewCompanyKey': {
    en_US: 'Change the company’s encryption keys',
    zh_CN: '更换公司加密密钥',
    ko: '회사 암호화 키 변경',
    pt_BR: 'Trocar as chaves de criptografia da empresa',
  },
  'audit.accountKey.renew': {
    en_US: 'Change encryption key of account passwords',
    zh_CN: '更换账号密码的加密密钥',
    ko: '계정 비밀번호의 암호화 키 변경',
    pt_BR: 'Trocar chave de criptografia das senhas de contas',
  },
  'audit.accountKey.renewed': {
    en_US: 'Encryption key of account passwords changed',
    zh_CN: '账号密码的加密密钥已更换',
    ko: '계정 비밀번호의 암호화 키 변경 완료',
    pt_BR: 'Chave de criptografia das senhas de contas trocada',
  },
  'audit.fileKey.renew': {
    en_US: 'Change encryption key of configuration files',
    zh_CN: '更换配置文件的加密密钥',
    ko: '구성 파일의 암호화 키 변경',
    pt_BR: 'Trocar chave de criptografia dos arquivos de configuração',
  },
  'audit.fileKey.renewed': {
    en_US: 'Encryption key of configuration files changed',
    zh_CN: '配置文件的加密密钥已更换',
    ko: '구성 파일의 암호화 키 변경 완료',
    pt_BR: 'Chave de criptografia dos arquivos de configuração trocada',
  },
  'companyKey.lead': {
    en_US:
      'Your company’s secrets are stored encrypted, with keys that no other company has. Change a key when it may have been exposed, or as often as your rules ask for.',
    zh_CN: '贵公司的机密信息以专属密钥加密存储，其他公司没有这些密钥。密钥可能泄露时，或按贵公司的规定，请更换密钥。',
    ko: '회사의 비밀 정보는 다른 회사에 없는 전용 키로 암호화되어 저장됩니다. 키가 노출되었을 수 있거나 사내 규정에 따라 필요할 때 키를 변경하세요.',
    pt_BR:
      'Os segredos da sua empresa são guardados criptografados, com chaves que nenhuma outra empresa tem. Troque uma chave se ela pode ter sido exposta ou sempre que suas regras pedirem.',
  },
  'companyKey.accounts': {
    en_US: 'Account passwords',
    zh_CN: '账号密码',
    ko: '계정 비밀번호',
    pt_BR: 'Senhas de contas',
  },
  'companyKey.accountsWhat': {
    en_US: 'Passwords of SIP accounts, FCS accounts and LDAP servers.',
    zh_CN: 'SIP 账号、FCS 账号和 LDAP 服务器的密码。',
    ko: 'SIP 계정, FCS 계정, LDAP 서버의 비밀번호입니다.',
    pt_BR: 'Senhas de contas SIP, contas FCS e servidores LDAP.',
  },
  'companyKey.files': {
    en_US: 'Configuration files',
    zh_CN: '配置文件',
    ko: '구성 파일',
    pt_BR: 'Arquivos de configuração',
  },
  'companyKey.filesWhat': {
    en_US: 'Each file has a key of its own. This key encrypts those.',
    zh_CN: '每个文件都有自己的密钥，此密钥用于加密这些文件密钥。',
    ko: '파일마다 고유한 키가 있으며, 이 키는 그 파일 키들을 암호화합니다.',
    pt_BR: 'Cada arquivo tem uma chave própria. Esta chave criptografa essas chaves.',
  },
  'companyKey.change': { en_US: 'Change key', zh_CN: '更换密钥', ko: '키 변경', pt_BR: 'Trocar chave' },
  'companyKey.changeOne': {
    en_US: 'Change key: {{name}}',
    zh_CN: '更换密钥：{{name}}',
    ko: '키 변경: {{name}}',
    pt_BR: 'Trocar chave: {{name}}',
  },
  'companyKey.changeText': {
    en_US:
      'A new key is created and everything is encrypted with it. Then the old key is deleted. Nothing has to be entered again, and everything keeps working meanwhile.',
    zh_CN: '将创建新密钥，并用它重新加密全部内容，然后删除旧密钥。无需重新输入任何内容，期间一切照常工作。',
    ko: '새 키를 만들어 모든 내용을 다시 암호화한 다음 이전 키를 삭제합니다. 다시 입력할 내용은 없으며 그동안에도 모두 정상적으로 작동합니다.',
    pt_BR:
      'Uma nova chave é criada e tudo é criptografado com ela. Depois, a chave antiga é excluída. Nada precisa ser digitado de novo, e tudo continua funcionando enquanto isso.',
  },
  'companyKey.none': {
    en_US: 'Nothing is encrypted yet. The key is created with the first secret.',
    zh_CN: '尚无加密内容。保存第一个机密信息时将创建密钥。',
    ko: '아직 암호화된 내용이 없습니다. 첫 비밀 정보를 저장할 때 키가 만들어집니다.',
    pt_BR: 'Nada foi criptografado ainda. A chave é criada com o primeiro segredo.',
  },
  'companyKey.made': {
    en_US: 'Key created {{when}}',
    zh_CN: '密钥创建于 {{when}}',
    ko: '키 생성: {{when}}',
    pt_BR: 'Chave criada em {{when}}',
  },
  'companyKey.never': {
    en_US: 'The key has not been changed yet.',
    zh_CN: '密钥尚未更换过。',
    ko: '아직 키를 변경한 적이 없습니다.',
    pt_BR: 'A chave ainda não foi trocada.',
  },
  'companyKey.begin': {
    en_US: 'Creating the new key. Everything keeps working.',
    zh_CN: '正在创建新密钥。一切照常工作。',
    ko: '새 키를 만드는 중입니다. 모두 정상적으로 작동합니다.',
    pt_BR: 'Criando a nova chave. Tudo continua funcionando.',
  },
  'companyKey.process': {
    en_US: 'Encrypting with the new key: {{done}} of {{total}}. Everything keeps working.',
    zh_CN: '正在用新密钥加密：{{done}}/{{total}}。一切照常工作。',
    ko: '새 키로 암호화하는 중: {{done}}/{{total}}. 모두 정상적으로 작동합니다.',
    pt_BR: 'Criptografando com a nova chave: {{done}} de {{total}}. Tudo continua funcionando.',
  },
  'companyKey.state.waiting': {
    en_US: 'Everything is encrypted with the new key. The old key will be deleted in a few minutes.',
    zh_CN: '全部内容已用新密钥加密。旧密钥将在几分钟后删除。',
    ko: '모든 내용이 새 키로 암호화되었습니다. 이전 키는 몇 분 후 삭제됩니다.',
    pt_BR: 'Tudo está criptografado com a nova chave. A chave antiga será excluída em alguns minutos.',
  },
  'companyKey.state.done': {
    en_US: 'Everything is encrypted with this key. The old key was deleted {{when}}.',
    zh_CN: '全部内容已用此密钥加密。旧密钥已于 {{when}} 删除。',
    ko: '모든 내용이 이 키로 암호화되어 있습니다. 이전 키 삭제: {{when}}',
    pt_BR: 'Tudo está criptografado com esta chave. A chave antiga foi excluída em {{when}}.',
  },
  'companyKey.partly': {
    en_US: {
      one: '{{number}} secret could not be read and stays as it was. The old key was kept for it. Everything else is encrypted with the new key.',
      other:
        '{{number}} secrets could not be read and stay as they were. The old key was kept for them. Everything else is encrypted with the new key.',
    },
    zh_CN: '{{number}} 项机密信息无法读取，保持原样，旧密钥已为其保留。其余内容均已用新密钥加密。',
    ko: '비밀 정보 {{number}}개를 읽을 수 없어 그대로 두었고, 이를 위해 이전 키를 보관했습니다. 나머지는 모두 새 키로 암호화되었습니다.',
    pt_BR: {
      one: '{{number}} segredo não pôde ser lido e ficou como estava. A chave antiga foi mantida para ele. Todo o resto está criptografado com a nova chave.',
      many: '{{number}} de segredos não puderam ser lidos e ficaram como estavam. A chave antiga foi mantida para eles. Todo o resto está criptografado com a nova chave.',
      other:
        '{{number}} segredos não puderam ser lidos e ficaram como estavam. A chave antiga foi mantida para eles. Todo o resto está criptografado com a nova chave.',
    },
  },
  'companyKey.sealed': {
    en_US: 'Encrypted with the new key',
    zh_CN: '已用新密钥加密',
    ko: '새 키로 암호화됨',
    pt_BR: 'Criptografados com a nova chave',
  },
  'companyKey.unopened': {
    en_US: 'Could not be read',
    zh_CN: '无法读取',
    ko: '읽을 수 없음',
    pt_BR: 'Não puderam ser lidos',
  },
});
