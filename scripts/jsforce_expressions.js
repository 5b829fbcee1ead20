// Evaluate JavaScript expressions with jsforce and print what they give as JSON; `org` is the client, signed in.
// The expressions are the text of scripts/salesforce_clients.py and of tests/worlds/salesforce/test_api_other_clients.py,
// and nothing that an org or an agent says; a table of named calls would hold each of them twice, since the documentation
// shows what is run. node jsforce_expressions.js URL TOKEN USERNAME PASSWORD EXPRESSION...
const { Connection } = require("@jsforce/jsforce-node");

const [url, token, username, password, ...asked] = process.argv.slice(2);
const org = new Connection({ instanceUrl: url, accessToken: token, version: "62.0" });

// Signs in by SOAP and returns who that is.
async function login(word = password) {
  const other = new Connection({ loginUrl: url, version: "62.0" });
  await other.login(username, word);
  return (await other.identity()).username;
}

(async () => {
  const answers = [];
  for (const expression of asked) {
    try {
      answers.push((await eval(expression)) ?? null);
    } catch (error) {
      answers.push(error.message);
    }
  }
  console.log(JSON.stringify(answers));
})();
